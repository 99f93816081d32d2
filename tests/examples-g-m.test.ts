/** The examples from g to m; see examples.test.ts. */
import { testExamples } from './fixtures/example-claims.js';

testExamples('g', 'm');
