import { expect, it } from 'vitest'
import { keptKind } from './kinds.ts'
import { begunLines } from './links.ts'
import type { OfflineStore } from './store/store.ts'

const kind = keptKind('collectionSheet') ?? expect.fail('collection sheets are not kept')
const members = [
  { Id: 'm1', clientId: 'ann', clientIdLabel: 'Ann Otieno', role: 'Chair' },
  { Id: 'm2', clientId: 'ben', clientIdLabel: 'Ben Otieno', role: 'Member' },
]
/** A device that holds one group. */
const store = {
  find: async (type: string, id: string) =>
    type === 'clientGroup' && id === 'umoja'
      ? { type, id, version: 1, state: 'clean', local: null, server: { Id: id, members } }
      : undefined,
} as unknown as OfflineStore
const linesOf = async (values: object) => (await begunLines(kind, store, { meetingOn: '2026-11-28', ...values }))['lines']

it('a sheet that is begun on a device has a line for each member of its group, with nothing of the loans', async () => {
  expect(await linesOf({ groupId: 'umoja' })).toEqual([
    { clientId: 'ann', clientIdLabel: 'Ann Otieno', received: 0, attendance: 'Present' },
    { clientId: 'ben', clientIdLabel: 'Ben Otieno', received: 0, attendance: 'Present' },
  ])
})

it('lines that somebody entered stay, and those of a group that is not on the device come with the sync', async () => {
  const own = [{ clientId: 'ann', received: 5 }]
  expect(await linesOf({ groupId: 'umoja', lines: own })).toEqual(own)
  expect(await linesOf({ groupId: 'elsewhere' })).toBeUndefined()
})
