import { metresBetween, type Point } from '@outpost/rules/places/distance'

const metresADegree = 111_194.9
const band = (degrees: number) => Math.max(0.01, Math.cos((degrees * Math.PI) / 180))

/**
 * DBSCAN with a minimum of two: points connected by steps of at most `radius` metres form a group. Returns the groups of two or more as
 * indexes into `points`. Points in one grid cell are certainly near each other, which saves most comparisons: thousands of stops in one
 * yard are one cell.
 */
export function clustersOf(points: readonly Point[], radius: number): number[][] {
  const grid = gridOf(points, radius)
  const parent = points.map((_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!
    return root
  }
  const join = (a: number, b: number) => {
    parent[rootOf(a)] = rootOf(b)
  }
  for (const members of grid.cells.values()) for (const member of members) join(member, members[0]!)
  for (const [key, members] of grid.cells) {
    for (const other of grid.around(key)) {
      if (rootOf(members[0]!) !== rootOf(other[0]!) && areNear(points, members, other, radius)) join(members[0]!, other[0]!)
    }
  }
  const groups = Map.groupBy(points.keys(), rootOf)
  return [...groups.values()].filter(({ length }) => length > 1)
}

interface Grid {
  cells: Map<string, number[]>
  around(key: string): Iterable<number[]>
}

/** A grid of cells whose diagonal is shorter than the radius; columns have the same width in metres on every row. */
function gridOf(points: readonly Point[], radius: number): Grid {
  const side = radius / 1.5 / metresADegree
  const columnsOf = (row: number) => Math.max(1, Math.floor((360 * Math.min(band(row * side), band((row + 1) * side))) / side))
  const columnOf = (row: number, longitude: number) =>
    Math.min(columnsOf(row) - 1, Math.floor((((longitude + 540) % 360) / 360) * columnsOf(row)))
  const cells = new Map<string, number[]>()
  points.forEach(({ latitude, longitude }, index) => {
    const row = Math.floor(latitude / side)
    const key = `${row} ${columnOf(row, longitude)}`
    const cell = cells.get(key)
    if (cell) cell.push(index)
    else cells.set(key, [index])
  })
  return {
    cells,
    *around(key) {
      const [row = 0, column = 0] = key.split(' ').map(Number)
      // Each pair once: the rows below, and on this row the cells to the east.
      for (let below = 0; below <= 2; below += 1) {
        const columns = columnsOf(row - below)
        const middle = Math.floor(((column + 0.5) / columnsOf(row)) * columns)
        const seen = new Set<number>()
        for (let step = -3; step <= 3; step += 1) seen.add((((middle + step) % columns) + columns) % columns)
        for (const one of seen) {
          const found = cells.get(`${row - below} ${one}`)
          if (found && (below > 0 || one !== column)) yield found
        }
      }
    },
  }
}

const areNear = (points: readonly Point[], some: readonly number[], others: readonly number[], radius: number): boolean =>
  some.some((one) => others.some((other) => metresBetween(points[one]!, points[other]!) <= radius))
