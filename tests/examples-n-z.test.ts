/** The examples from n to z; see examples.test.ts. */
import { testExamples } from './fixtures/example-claims.js';

testExamples('n', 'z');
