// The keys of a JSON model as a page of tables: key, what it may be, unit. Made from the JSON Schema alone.

const INTRODUCTION = `# Keys of a JSON model

Made from [schema/model.schema.json](../../schema/model.schema.json), which editors understand: begin a model with
\`"$schema": "./node_modules/tippetop/schema/model.schema.json"\`. SI units, angles in rad. What the keys mean is in
[Writing a model](../guide/models.md). **Bold** keys must be there.
`;

/** The page, in Markdown. */
export function schemaPage(schema) {
  const sections = [['model', schema], ...Object.entries(schema.$defs)];
  return [INTRODUCTION, ...sections.map(([name, part]) => section(name, part))].join('\n');
}

function section(name, part) {
  const variants = part.oneOf ?? part.anyOf ?? [part];
  const lines = [`## ${name}`];
  const plain = variants.filter(({ properties }) => !properties);
  if (plain.length > 0) lines.push('', plain.map(typeOf).join(', or'));
  for (const variant of variants) {
    if (!variant.properties) continue;
    const title = titleOf(variant);
    if (variants.length > 1) lines.push('', title ? `### ${title}` : 'or an object:');
    lines.push('', '| key | value | unit |', '|---|---|---|', ...rows(variant, ''));
  }
  return `${lines.join('\n')}\n`;
}

/** `revolute` of a joint, `sphere` of a shape. */
function titleOf({ properties, required = [] }) {
  const kind = properties.kind?.const;
  if (kind) return `kind "${kind}"`;
  return required.length === 1 ? `"${required[0]}"` : '';
}

/** One row per key; keys of an object inside are written `spring.stiffness`. */
function rows({ properties, required = [] }, before) {
  return Object.entries(properties).flatMap(([key, value]) => {
    if (key === 'kind') return [];
    const name = `\`${before}${key}\``;
    const standard = value.default === undefined ? '' : `; \`${JSON.stringify(value.default)}\` unless given`;
    const meaning = value.title ? `: ${value.title}` : '';
    const row = `| ${required.includes(key) ? `**${name}**` : name} | ${typeOf(value)}${standard}${meaning} | ${unitOf(value)} |`;
    const named = value.additionalProperties;
    if (named?.properties) return [row, ...rows(named, `${before}${key}.<name>.`)];
    return value.properties ? [row, ...rows(value, `${before}${key}.`)] : [row];
  });
}

const unitOf = (value) => {
  const found = value.description ?? (value.anyOf ?? []).map(({ description }) => description).find(Boolean);
  return found ? found.replace(/^in /, '') : '';
};

function typeOf(value) {
  if (value.$ref) {
    const name = value.$ref.split('/').at(-1);
    return `[${name}](#${name.toLowerCase()})`; // as headings are anchored
  }
  if (value.const !== undefined) return `\`${JSON.stringify(value.const)}\``;
  if (value.enum) return value.enum.map((item) => `\`"${item}"\``).join(', ');
  const choices = value.anyOf ?? value.oneOf;
  if (choices) return choices.map(typeOf).join(' or ');
  if (value.type === 'array') {
    const many =
      value.minItems !== undefined && value.minItems === value.maxItems ? `${value.minItems} × ` : 'array of ';
    const items = value.prefixItems ?? [value.items];
    return many + [...new Set(items.map(typeOf))].join(' or ');
  }
  if (value.type === 'object' && value.properties) return 'object';
  if (value.type === 'object') return `name → ${typeOf(value.additionalProperties)}`;
  if (value.type === 'number' || value.type === 'integer') return numberOf(value);
  return value.type;
}

function numberOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }) {
  const whole = type === 'integer';
  const bounds = [
    exclusiveMinimum === undefined ? '' : `> ${exclusiveMinimum}`,
    minimum === undefined || minimum < -1e15 ? '' : `≥ ${minimum}`,
    exclusiveMaximum === undefined ? '' : `< ${exclusiveMaximum}`,
    maximum === undefined || maximum > 1e15 ? '' : `≤ ${maximum}`,
  ];
  return [whole ? 'whole number' : 'number', ...bounds.filter(Boolean)].join(' ');
}
