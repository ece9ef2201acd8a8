// Dredd sends the same example for each documented response, so the one for 400 becomes invalid here.
const hooks = require('hooks');

hooks.beforeEach((transaction, done) => {
  if (transaction.expected.statusCode === '400') transaction.request.body = '{"tag":"succulent"}';
  done();
});
