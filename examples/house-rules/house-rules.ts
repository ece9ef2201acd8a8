// The same with types. Node 22.18 and later read TypeScript; otherwise compile it first.
import { type HouseRule, plantIn } from 'plant-store-contract/conformance';

export default [
  {
    id: 'house/names-keep-their-spaces',
    title: 'A name with a space at its end is accepted as it is.',
    rows: [
      {
        name: 'house/space-at-the-end',
        title: 'a plant whose name ends with a space',
        control: 'plain-plant',
        requests: [{ body: '{"name":"<NAME> ","id":<ID>}' }],
      },
    ],
    // A rejection of the control proves nothing about this name.
    control: 'for-any-verdict',
    judge(exchange) {
      const { status } = exchange.response;
      const sent = exchange.request.plant?.name;
      const name = plantIn(exchange)?.name;
      if (name === sent) return undefined;
      return { expected: `the name "${sent}"`, actual: name === undefined ? `${status}` : `"${name}"` };
    },
  },
] satisfies HouseRule[];
