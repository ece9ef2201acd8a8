<?php
header('Content-Type: application/json');

function fail(int $status, string $message): void
{
    http_response_code($status);
    echo json_encode(['error' => $status, 'message' => $message]);
    exit;
}

if ($_SERVER['REQUEST_METHOD'] !== 'POST' || parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) !== '/plants') {
    fail(404, 'not found');
}
if (($_SERVER['HTTP_AUTHORIZATION'] ?? '') !== 'Bearer ' . getenv('TOKEN')) {
    fail(401, 'unauthorized');
}
$data = json_decode(file_get_contents('php://input'), true);
if (!isset($data['name'], $data['id']) || !is_string($data['name']) || !is_int($data['id'])) {
    fail(400, 'name and id are required');
}
if (isset($data['tag']) && !is_string($data['tag'])) {
    fail(400, 'tag must be a string');
}
$plant = ['name' => $data['name']];
if (isset($data['tag'])) {
    $plant['tag'] = $data['tag'];
}
echo json_encode($plant);
