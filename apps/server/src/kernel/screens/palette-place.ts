import type { Permission } from '@outpost/contract/permissions'
import type { AnyResource } from '../types/resource.ts'

/** Records that the palette finds: for whom, and which screen a hit opens. A kind without a screen of its own opens beside its list. */
export interface PalettePlace {
  resource: AnyResource
  anyOf: readonly Permission[]
  /** SQL over alias t of the line under the title. Must come from code. */
  subtitle: string
  /** Path up to the id, and what follows it. */
  open: string
  tail?: string
  /** The column of the branch it belongs to. */
  branch?: 'tenantId' | 'parentId'
  /** Its records are persons: they are what a search for a person finds. */
  isPerson?: boolean
  /** Small enough to be searched for texts too short for the index. */
  isSmall?: boolean
  /** Place among the kinds, counted in tens. */
  order: number
}
