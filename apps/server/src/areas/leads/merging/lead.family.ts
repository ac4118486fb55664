import { mergedFamily } from '../../../kernel/merging/merging.ts'

/** Ids of a lead and of those that were merged into it. */
export const familyOf = mergedFamily('lead_merge')
