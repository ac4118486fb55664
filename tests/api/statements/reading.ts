import { expect } from 'vitest'
import { reconcile } from '../../../apps/server/src/areas/reconciliation/reconcile.ts'
import { makeLending, type Lending, type Row } from '../loans/lending.ts'

const headings = 'Date;Paid in;Withdrawn;Receipt No.;Name;Account no'

export interface Reading extends Lending {
  /** Reads lines of `day;paid in;withdrawn;reference;name;details` into a draft. */
  draft: (rows: readonly string[], over?: object) => Promise<Row>
  book: (id: string) => ReturnType<Lending['world']['as']['admin']['post']>
  /** What booking does with each line: reference and verdict. */
  verdicts: (id: string) => Promise<unknown[][]>
  /** What the statement's own tab of differences says. */
  shown: (id: string) => Promise<unknown[][]>
  /** Compares the books as the night does; the open differences whose reference holds a text. */
  open: (holds: string) => Promise<unknown[][]>
  compare: () => ReturnType<typeof reconcile>
}

/** A company that reads in statements. */
export async function makeReading(): Promise<Reading> {
  const lending = await makeLending()
  const { admin } = lending.world.as
  const program = await lending.program()
  const compare = () => program.transaction(reconcile)
  return {
    ...lending,
    compare,
    draft: async (rows, over = {}) => {
      const body = { source: 'bank', csv: [headings, ...rows].join('\n'), ...over }
      const answer = await admin.post<{ moneyStatement: Row }>('/api/statements', body)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data.moneyStatement
    },
    book: (id) => admin.post(`/api/statements/${id}/book`, {}),
    verdicts: async (id) =>
      (await admin.get<{ lines: Row[] }>(`/api/statements/${id}/lines`)).body.data.lines.map(({ reference, verdict }) => [
        reference,
        verdict,
      ]),
    shown: async (id) =>
      (await admin.get<{ differences: Row[] }>(`/api/statements/${id}/differences`)).body.data.differences.map(
        ({ reference, what, stated, booked }) => [reference, what, stated, booked],
      ),
    open: async (holds) => {
      await compare()
      const filter = encodeURIComponent(JSON.stringify([{ field: 'status', op: 'eq', value: 'Open' }]))
      const found = await admin.get<{ moneyDifferences: Row[] }>(`/api/reconciliation/differences?size=1000&filter=${filter}`)
      return found.body.data.moneyDifferences
        .filter(({ reference, what }) => `${String(reference)} ${String(what)}`.includes(holds))
        .map(({ kind, reference, stated, booked }) => [kind, reference, stated, booked])
        .toSorted()
    },
  }
}
