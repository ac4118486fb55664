/** Splits a list into chunks of at most `size`, in order; none for an empty list. */
export const portionsOf = <One>(list: readonly One[], size: number): One[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))
