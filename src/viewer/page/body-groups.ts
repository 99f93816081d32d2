/**
 * Bodies as a person thinks of them: `rack[0]` … `rack[5049]` are one rack, `arm.hand` and `arm.finger` belong to the arm, all in
 * the order of the model. What is alone in its group stands by itself.
 */
export interface BodyGroup {
  /** Of the body, or what its names begin with */
  readonly name: string;
  readonly bodies: readonly number[];
}

export function bodyGroups(names: readonly string[]): BodyGroup[] {
  const groups = new Map<string, number[]>();
  names.forEach((name, body) => {
    const base = /^[^[.]+/.exec(name)?.[0] ?? name;
    const group = groups.get(base);
    if (group) group.push(body);
    else groups.set(base, [body]);
  });
  return [...groups].map(([base, bodies]) => ({ name: bodies.length === 1 ? names[bodies[0]] : base, bodies }));
}
