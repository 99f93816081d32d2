/**
 * Functions of the user's get their arguments one by one, as numbers: (t), (t, x, v), (length, rate, t). Who takes an object apart instead, ({ t }) => …, or
 * reads s.t, gets `undefined`, which compares as false with everything: a torque that should switch never does, and nothing fails. So such a function is
 * refused by name.
 *
 * What reads a field is seen in the function's text. Since the text may mean something else, (t) => points.find((t) => t.x > 1), the function is then asked once,
 * with arguments that behave as the number 0 and note what is read of them.
 */

/** @returns what a function reads of an argument that is a number, and of which argument; nothing where all are used as numbers */
export function fieldOfNumber(
  given: (...args: never[]) => unknown,
  numbers: readonly string[],
  others: readonly unknown[] = [],
): { argument: string; field: string } | undefined {
  if (!mayReadFields(String(given))) return undefined;
  let found: { argument: string; field: string } | undefined;
  const zeros = numbers.map((argument) =>
    noting((field) => {
      found ??= { argument, field };
    }),
  );
  try {
    (given as (...args: unknown[]) => unknown)(...zeros, ...others);
  } catch {
    // What it lacks is told by what it read, or when it is asked in earnest.
  }
  return found;
}

/** Refuses a function that reads fields of its numbers. For `superRefine`; what is no function passes. */
export const takesNumbers =
  (numbers: readonly string[], others: Readonly<Record<string, unknown>> = {}) =>
  (given: unknown, context: { addIssue(message: string): void }): void => {
    if (typeof given !== 'function') return;
    const found = fieldOfNumber(given as () => unknown, numbers, Object.values(others));
    if (!found) return;
    const wanted = `(${[...numbers, ...Object.keys(others)].join(', ')})`;
    context.addIssue(
      `expected a function ${wanted} whose arguments come one by one: ${found.argument} is a number, and the function reads "${found.field}" of it; write ${wanted} => … without braces`,
    );
  };

/** Some parameter is taken apart, or something has a name read of it that is a parameter's too. */
function mayReadFields(text: string): boolean {
  const parameters = parametersOf(text);
  return parameters.some((parameter) => {
    if (/^[[{]/.test(parameter)) return true;
    const name = /^[\p{ID_Start}$_][\p{ID_Continue}$]*/u.exec(parameter)?.[0];
    if (!name) return false;
    const escaped = name.replaceAll('$', '\\$');
    return new RegExp(
      `(?<![\\p{ID_Continue}$.])${escaped}\\s*(\\?\\.|\\.(?!\\d)|\\[)|\\}\\s*=\\s*${escaped}(?![\\p{ID_Continue}$])`,
      'u',
    ).test(text);
  });
}

/** Texts of the parameters of a function, arrow or method */
function parametersOf(text: string): string[] {
  const alone = /^\s*(?:async\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>/u.exec(text);
  if (alone) return [alone[1]];
  const parameters: string[] = [];
  let depth = 0;
  let from = -1;
  for (let i = text.indexOf('('); i >= 0 && i < text.length; i++) {
    const letter = text[i];
    const ends = depth === 1 && (letter === ')' || letter === ',');
    if (ends) parameters.push(text.slice(from, i).trim());
    if ('([{'.includes(letter)) depth++;
    if (')]}'.includes(letter)) depth--;
    if (depth === 0) break;
    if (ends || from < 0) from = i + 1;
  }
  return parameters;
}

/** Behaves as the number 0, and tells what is read of it that numbers do not have. */
function noting(note: (field: string) => void): unknown {
  return new Proxy(Object(0), {
    get(_, key) {
      const known = (Number.prototype as unknown as Record<PropertyKey, unknown>)[key];
      if (typeof known === 'function') return known.bind(0);
      if (typeof key === 'string') note(key);
      return undefined;
    },
  });
}
