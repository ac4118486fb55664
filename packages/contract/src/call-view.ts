/** A call a view makes. `:name` in the path is filled from the row or the screen's parameters. */
export interface CallView {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
}
