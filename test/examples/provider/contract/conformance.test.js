// conformance.test.js
import { test } from 'node:test';
import { conformanceSuite } from 'plant-store-contract/conformance';
import { createApp } from '../src/app.js';

const start = () => createApp('secret-token').listen(0);

conformanceSuite({ test, target: { start }, token: 'secret-token' });
