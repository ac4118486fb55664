import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
/** Beside the checkout, or beside the folder of its worktrees. */
const places = ['../shared', '../../shared'].map((folder) => resolve(root, folder, 'fleet-vectors.json'))

/** Frames and expectations by third parties, which are no part of the project; null where they are not at hand, and then their tests are skipped. */
export function fleetVectors(): unknown {
  const path = places.find((place) => existsSync(place))
  return path ? JSON.parse(readFileSync(path, 'utf8')) : null
}
