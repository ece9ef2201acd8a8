// The part of Prism that is used. The root of the package would load its mocker and parser too, and take three times as long.
// In `dist`, the build replaces this file by Prism's code itself: see scripts/prism.mjs.
export { validateOutput } from '@stoplight/prism-http/dist/validator/index.js';
