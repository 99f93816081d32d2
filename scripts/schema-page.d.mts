/** The keys of a JSON model as a page of tables, in Markdown. */
export function schemaPage(schema: { readonly [key: string]: unknown }): string;
