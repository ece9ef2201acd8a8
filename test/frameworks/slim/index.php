<?php
require 'Slim/autoload.php';

$app = new \Slim\App();

$app->post('/plants', function ($request, $response) {
    if ($request->getHeaderLine('Authorization') !== 'Bearer ' . getenv('TOKEN')) {
        return $response->withJson(['error' => 401, 'message' => 'Unauthorized'], 401);
    }
    $data = $request->getParsedBody();
    if (!is_string($data['name'] ?? null) || !is_int($data['id'] ?? null)) {
        return $response->withJson(['error' => 1, 'message' => 'name and id are required'], 400);
    }
    if (isset($data['tag']) && !is_string($data['tag'])) {
        return $response->withJson(['error' => 2, 'message' => 'tag must be a string'], 400);
    }
    $plant = ['name' => $data['name']];
    if (isset($data['tag'])) {
        $plant['tag'] = $data['tag'];
    }
    return $response->withJson($plant);
});

$app->run();
