/** The examples from d to f; see examples.test.ts. */
import { testExamples } from './fixtures/example-claims.js';

testExamples('d', 'f');
