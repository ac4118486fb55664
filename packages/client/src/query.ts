/** Query text of a call: objects (filters) as JSON, empty values not at all. */
export function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const parts = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue
    parts.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean))
  }
  const text = parts.toString()
  return text ? `?${text}` : ''
}
