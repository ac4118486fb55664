import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { syncEntities } from '../../apps/server/src/kernel/sync/entities.ts'
import { pushChanges } from '../../apps/server/src/kernel/sync/push.ts'
import { area, makeLedgerWorld } from './ledger-world.ts'

const { world, ctx, cash, loans, pair, made, read, put, auditOf, close } = await makeLedgerWorld()
afterAll(() => close())

describe('what a device did meanwhile', () => {
  const deviceId = randomUUID()
  let clientSeq = 0
  const change = (entityId: string, over: Partial<ChangeRecord>): ChangeRecord => ({
    clientSeq: (clientSeq += 1),
    changeId: randomUUID(),
    schema: 1,
    deviceId,
    tenantId: world.a.branch.id,
    userId: world.a.userId,
    version: 1,
    entityId,
    entityType: 'journalEntry',
    dateModified: new Date().toISOString(),
    changeType: 'UPDATE',
    patch: {},
    deps: [],
    ...over,
  })
  const push = (one: ChangeRecord) => pushChanges(ctx, [one], { entities: syncEntities([area]) }).then(([result]) => result!)

  it('keeps the ids that the device gave, and is in the audit as any other', async () => {
    const [entityId, first, second] = [randomUUID(), randomUUID(), randomUUID()]
    const [one, two] = pair()
    const snapshot = {
      Id: entityId,
      name: 'From the field',
      lines: [
        { ...one, Id: first },
        { ...two, Id: second },
      ],
      readerIds: [world.a.userId],
    }
    expect(await push(change(entityId, { changeType: 'INSERT', version: 0, snapshot }))).toMatchObject({ status: 'applied' })
    expect((await read(entityId)).lines.map(({ Id }) => Id)).toEqual([first, second])
    expect((await auditOf(entityId)).map(({ action, source }) => [action, source])).toEqual(
      ['create', 'lines', 'readerIds'].map((what) => [`journalEntry.${what}`, 'sync']),
    )
    const theft = { ...snapshot, Id: randomUUID(), lines: [{ ...one, Id: first }, two] }
    expect(await push(change(theft.Id, { changeType: 'INSERT', version: 0, snapshot: theft }))).toMatchObject({
      status: 'rejected',
      message: expect.stringContaining('lines.0.Id') as string,
    })
  })

  it('is merged line by line with what the office did', async () => {
    const {
      Id,
      lines: [first, second],
    } = await made()
    await put(Id, {
      lines: [
        { Id: first!.Id, note: 'Office' },
        { Id: second!.Id },
        { accountId: cash, amount: 7 },
        { accountId: loans, amount: 7, side: 'credit', note: 'x' },
      ],
    })
    const added = { Id: randomUUID(), accountId: cash, amount: 0 }
    const mine = [{ ...first, amount: 60 }, { ...second, amount: 60 }, added]
    expect(await push(change(Id, { patch: { lines: [[first, second], mine] } }))).toMatchObject({ status: 'applied' })
    const { lines } = await read(Id)
    expect(lines.map(({ amount, note }) => [amount, note])).toEqual([
      [60, 'Office'],
      [60, 'Paid out'],
      [0, null],
      [7, null],
      [7, 'x'],
    ])
  })

  it("asks where both changed one field of a line; the office's value stays", async () => {
    const {
      Id,
      lines: [first, second],
    } = await made()
    await put(Id, { lines: [{ Id: first!.Id, note: 'Office' }, second] })
    const result = await push(
      change(Id, {
        patch: {
          lines: [
            [first, second],
            [{ ...first, note: 'Field' }, second],
          ],
        },
      }),
    )
    expect(result).toMatchObject({ status: 'merged', conflicts: [{ field: 'lines' }] })
    expect((await read(Id)).lines[0]!.note).toBe('Office')
  })

  it("adds to and takes from pairs without losing the office's", async () => {
    const { Id } = await made()
    await put(Id, { name: 'Meanwhile' })
    expect(await push(change(Id, { patch: { readerIds: { add: [world.a.userId], remove: [] } } }))).toMatchObject({ status: 'applied' })
    expect((await read(Id)).readerIds.map((one) => one.Id)).toEqual([world.a.userId])
    expect(await push(change(Id, { patch: { readerIds: [[{ Id: world.a.userId, label: 'Asha' }], []] } }))).toMatchObject({
      status: 'applied',
    })
    expect((await read(Id)).readerIds).toEqual([])
    expect(await push(change(Id, { patch: { readerIds: { add: [world.b.userId], remove: [] } } }))).toMatchObject({ status: 'rejected' })
  })
})
