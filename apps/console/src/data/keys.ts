/** Keys of the query cache; everything about records starts with ['records', resource]. */
export const keys = {
  layout: ['layout'] as const,
  screen: (id: string) => ['screen', id] as const,
  records: (resource: string) => ['records', resource] as const,
  list: (resource: string, path: string, query: object) => ['records', resource, 'list', path, query] as const,
  record: (resource: string, path: string) => ['records', resource, 'one', path] as const,
}
