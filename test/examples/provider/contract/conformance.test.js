// conformance.test.js
import { test } from 'node:test';
import { conformanceSuite } from 'plant-store-contract/conformance';
import { createApp } from '../src/app.js';

conformanceSuite({ test, target: () => createApp('secret-token').listen(0), token: 'secret-token' });
