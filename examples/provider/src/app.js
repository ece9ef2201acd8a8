import { createHash, timingSafeEqual } from 'node:crypto';
import express from 'express';
import { readJson } from 'plant-store-contract/validation';
import { newPlantIn } from './new-plant.js';

/** A plant store in Express, which accepts one token. */
export function createApp(token) {
  const plants = new Map();
  const app = express().disable('x-powered-by');
  // Bytes, not express.json(): JSON.parse rounds ids beyond 2^53, so two ids become one.
  const body = express.raw({ type: 'application/json', limit: '1mb' });

  app.post('/plants', bearer(token), body, (request, response) => {
    if (request.body === undefined)
      return reject(response, 400, 'the body must be JSON, and sent as application/json');
    const read = readJson(request.body);
    if (!read.ok) return reject(response, 400, `the body is not JSON: ${read.message}`);
    const { plant, problem } = newPlantIn(read.value);
    if (plant === undefined) return reject(response, 400, problem);
    if (plants.has(plant.id)) return reject(response, 409, `a plant with the id ${plant.id} exists already`);
    plants.set(plant.id, plant);
    // The fields of a Plant only. The record has the id too.
    response.json({ name: plant.name, tag: plant.tag });
  });

  app.use((_request, response) => reject(response, 404, 'there is nothing here'));
  // Without this, Express responds with HTML to what it rejects itself, such as a body that is too large.
  app.use((error, _request, response, _next) => {
    const status = error.status ?? 500;
    reject(response, status, status < 500 ? error.message : 'something went wrong');
  });
  return app;
}

function bearer(token) {
  const expected = digest(token);
  return (request, response, next) => {
    const [, given] = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return next();
    response.set('WWW-Authenticate', 'Bearer');
    reject(response, 401, 'the token is missing or wrong');
  };
}

/** Digests have one length, so comparing any two takes the same time. */
function digest(text) {
  return createHash('sha256').update(text).digest();
}

function reject(response, status, message) {
  response.status(status).json({ error: status, message });
}
