import { call } from '../../data/calls.ts'
import type { KindAddition } from '../../offline/kinds.ts'

/** Filled forms on the device: a refused one is mended where it was filled in, and its files are tied to it. */
export const answerAddition: KindAddition = {
  mendAt: ({ Id, formVersionId }) => (formVersionId ? { to: `/forms/fill/${String(formVersionId)}`, search: { again: Id } } : undefined),
  shows: ['name', 'summary'],
  attach: async ({ ownerId, id }) => void (await call('webForms.attach', { params: { id: ownerId }, body: { newFiles: [id] } })),
}
