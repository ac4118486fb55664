export type Values = Record<string, unknown>

/** Fills `:name` parts of a path from the values; throws naming the part that has none. What a filter in it says (`"value":true`) is no name. */
export function fillPath(path: string, values: Values): string {
  return path.replace(/:(?!(?:true|false|null)\b)([A-Za-z_]\w*)/g, (_, name: string) => {
    const value = values[name] ?? (name === 'id' ? values.Id : undefined)
    if (value === undefined || value === null || value === '') throw new Error(`The path ${path} needs a value for ${name}.`)
    return encodeURIComponent(String(value))
  })
}
