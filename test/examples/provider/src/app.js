import { createHash, timingSafeEqual } from 'node:crypto';
import express from 'express';
import { readJson } from 'plant-store-contract/validation';
import { newPlantIn } from './new-plant.js';

/** A plant store in Express, which accepts one token. */
export function createApp(token) {
  const plants = new Map();
  const app = express().disable('x-powered-by');
  // Bytes, not express.json(): that is JSON.parse, which rounds ids beyond 2^53, and two of them become one.
  const body = express.raw({ type: 'application/json', limit: '1mb' });

  app.post('/plants', bearer(token), body, (request, response) => {
    if (request.body === undefined)
      return refuse(response, 400, 'the body must be JSON, and sent as application/json');
    const read = readJson(request.body);
    if (!read.ok) return refuse(response, 400, `the body is not JSON: ${read.message}`);
    const { plant, problem } = newPlantIn(read.value);
    if (plant === undefined) return refuse(response, 400, problem);
    if (plants.has(plant.id)) return refuse(response, 409, `there is a plant with the id ${plant.id}`);
    plants.set(plant.id, plant);
    // The fields of a Plant, and not the record: that has the id.
    response.json({ name: plant.name, tag: plant.tag });
  });

  app.use((_request, response) => refuse(response, 404, 'there is nothing here'));
  // Without this, Express answers what it refuses itself (a body that is too large, say) with HTML.
  app.use((error, _request, response, _next) => {
    const status = error.status ?? 500;
    refuse(response, status, status < 500 ? error.message : 'something went wrong');
  });
  return app;
}

function bearer(token) {
  const expected = digest(token);
  return (request, response, next) => {
    const [, given] = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return next();
    response.set('WWW-Authenticate', 'Bearer');
    refuse(response, 401, 'the token is missing or wrong');
  };
}

/** Of one length whatever the text, so that comparing two takes the same time. */
function digest(text) {
  return createHash('sha256').update(text).digest();
}

function refuse(response, status, message) {
  response.status(status).json({ error: status, message });
}
