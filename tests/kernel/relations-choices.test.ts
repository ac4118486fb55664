import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults, makeLedgerWorld, type Entry } from './ledger-world.ts'

const { world, call, made, put, close } = await makeLedgerWorld()
afterAll(() => close())

describe("a choice among the company's own rows", () => {
  interface Field {
    key: string
    kind: string
    options?: { value: string; label: string; colour?: string }[]
    defaultValue?: string
    reference?: object
    fields?: Field[]
  }
  interface View {
    fields: Field[]
    actions: { key: string; form?: Field[] }[]
  }
  const kinds = { payout: randomUUID(), fee: randomUUID(), old: randomUUID(), other: randomUUID() }
  const view = async (id: string, who: string) =>
    (await call(who, 'GET', `/api/console/screens/${id}`)).body.data['view'] as unknown as View
  const kindOf = ({ fields }: { fields: Field[] }) => fields.find(({ key }) => key === 'kindId')!
  beforeAll(async () => {
    const { a, b } = world
    const rowsOf = [
      [a.id, kinds.payout, a.branch.id, 'Payout', 1, false, 2],
      [a.id, kinds.fee, a.root.id, 'Fee', 1, true, 1],
      [a.id, kinds.old, a.branch.id, 'Old', 0, false, 3],
      [a.id, kinds.other, a.other.id, 'Other', 1, false, 4],
      [b.id, randomUUID(), b.branch.id, 'Theirs', 1, true, 0],
    ]
    for (const row of rowsOf)
      await world.database.admin.query(
        `insert into journal_kind ("companyId", id, "tenantId", name, active, preset, position, colour) values ($1, $2, $3, $4, $5, $6, $7, 'blue')`,
        row,
      )
  })

  it('has its options in the view: all where records are shown, those on offer where one is chosen', async () => {
    const [shown, form, detail] = [await view('ledger', 'a'), await view('ledger-new', 'a'), await view('ledger-id-view', 'a')]
    expect(kindOf(shown)).toMatchObject({
      kind: 'choice',
      options: [
        { value: kinds.fee, label: 'Fee', colour: 'blue' },
        { value: kinds.payout, label: 'Payout' },
        { value: kinds.old, label: 'Old' },
        { value: kinds.other, label: 'Other (AL2)' },
      ],
    })
    expect([kindOf(shown).reference, kindOf(shown).defaultValue]).toEqual([undefined, undefined])
    expect(kindOf(form)).toMatchObject({ options: [{ value: kinds.fee }, { value: kinds.payout }], defaultValue: kinds.fee })
    expect(shown.actions.find(({ key }) => key === 'kind')?.form).toMatchObject([
      { key: 'kindId', options: [{ value: kinds.fee }, { value: kinds.payout }] },
    ])
    expect(kindOf(detail).options).toHaveLength(4)
    // What a line is made of is described as well.
    expect(form.fields.find(({ key }) => key === 'lines')?.fields?.map(({ key }) => key)).toEqual(['accountId', 'amount', 'side', 'note'])
  })

  it('is a reference: named, checked, filtered', async () => {
    const record = await made({ kindId: kinds.payout, name: 'Of a kind' })
    expect(record).toMatchObject({ kindId: kinds.payout, kindIdLabel: 'Payout' })
    expect(faults(await put(record.Id, { kindId: randomUUID() }))).toEqual([422, 'kindId does not exist'])
    expect(faults(await put(record.Id, { kindId: 'Payout' }))).toEqual([422, 'kindId is not an identifier'])
    const found = (
      await call(
        'a',
        'GET',
        `/api/entries?filter=${encodeURIComponent(JSON.stringify([{ field: 'kindId', op: 'in', value: [kinds.payout] }]))}`,
      )
    ).body.data['journalEntries'] as unknown as Entry[]
    expect(found.map(({ name }) => name)).toEqual(['Of a kind'])
    expect((await put(record.Id, { kindId: null })).body.data['journalEntry']).toMatchObject({ kindId: null, kindIdLabel: null })
  })
})
