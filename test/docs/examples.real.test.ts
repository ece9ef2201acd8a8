import { docstringExamples, takesLong, testExamples } from './examples.js';

testExamples(docstringExamples().filter((example) => !takesLong(example)));
