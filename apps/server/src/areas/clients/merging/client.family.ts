import { mergedFamily } from '../../../kernel/merging/merging.ts'

/** Ids of a client and of those that were merged into it. */
export const clientFamilyOf = mergedFamily('client_merge')
