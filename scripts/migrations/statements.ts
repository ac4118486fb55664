/** Splits SQL into statements without comments; texts and bodies of functions are left out, so that no word in them counts. */
export function statementsOf(sql: string): string[] {
  const bare = sql
    .replaceAll(/(\$\w*\$)[\s\S]*?\1/g, `''`)
    .replaceAll(/'(?:[^']|'')*'/g, `''`)
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
  return bare
    .split(';')
    .map((one) => one.trim().replaceAll(/\s+/g, ' '))
    .filter((one) => one !== '')
}

/** A table's name as it is compared: without quotes and without the schema public. */
export const tableName = (text: string): string =>
  text
    .replaceAll('"', '')
    .replace(/^public\./i, '')
    .toLowerCase()
