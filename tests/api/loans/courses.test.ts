import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcile } from '../../../apps/server/src/areas/reconciliation/reconcile.ts'
import type { Ctx } from '../../../apps/server/src/kernel/types.ts'
import { seededRandom } from '../../support/draws.ts'
import { isNightly } from '../../support/size.ts'
import { doSomething, drawnTerms, type Course } from './courses.ts'
import { dayFrom, makeLending, type Lending } from './lending.ts'

let lending: Lending
let program: Ctx

beforeAll(async () => {
  lending = await makeLending()
  program = await lending.program()
})
afterAll(() => lending.world.app.close())

const [courses, steps] = isNightly ? [15, 60] : [3, 30]

/** What the books hold besides what the nightly comparison looks at. */
async function faults(): Promise<unknown[]> {
  await program.transaction(reconcile)
  return lending.rows(`
    select what || ' L-' || coalesce(l.number::text, '') as what, d.stated::text, d.booked::text from money_difference d left join loan l on l.id = d."loanId" where d.status = 'Open'
    union all select 'Less than nothing of L-' || number, least("principalOwed", "interestOwed", "feesOwed", "penaltiesOwed", overpaid, "writtenOff")::text, null from loan
      where least("principalOwed", "interestOwed", "feesOwed", "penaltiesOwed", overpaid, "writtenOff") < 0
    union all select 'Paid more of an instalment than it asks, L-' || l.number, i.number::text, null from loan_instalment i join loan l on l.id = i."loanId"
      where i."principalPaid" not between 0 and i.principal or i."interestPaid" not between 0 and i.interest or i."feePaid" not between 0 and i.fee
        or i."insurancePaid" not between 0 and i.insurance or i."penaltyPaid" not between 0 and i.penalty or least(i.principal, i.interest, i.fee, i.insurance, i.penalty) < 0
    union all select 'State of L-' || number, status, ("principalOwed" + "interestOwed" + "feesOwed" + "penaltiesOwed")::text || ' ' || overpaid from loan
      where status not in ('Approved', 'Cancelled', 'Written off')
        and status <> case when "principalOwed" + "interestOwed" + "feesOwed" + "penaltiesOwed" > 0 then 'Active' when overpaid > 0 then 'Overpaid' else 'Closed' end
    union all select 'Refunded more than was overpaid, L-' || l.number, sum(d.amount)::text, l.overpaid::text from disbursement d join loan l on l.id = d."loanId"
      where d.kind = 'refund' and d.status not in ('Rejected', 'Confirmed') group by l.id, l.number, l.overpaid having sum(d.amount) > l.overpaid
    union all select 'An allocation of nothing', amount::text, part from payment_allocation where amount <= 0
    union all select 'Recovered more than was written off, L-' || l.number, sum(a.amount)::text, l."writtenOff"::text from payment_allocation a join loan l on l.id = a."loanId"
      where a.part = 'recovery' and a."supersededAt" is null group by l.id, l.number, l."writtenOff" having sum(a.amount) > l."writtenOff"
    union all select 'Two payouts of L-' || l.number, count(*)::text, null from disbursement d join loan l on l.id = d."loanId"
      where d.kind = 'payout' and d.status <> 'Rejected' group by l.id, l.number having count(*) > 1
    union all select 'Earned more than was agreed, L-' || l.number, l."interestAccrued"::text, sum(i.interest)::text from loan l join loan_instalment i on i."loanId" = l.id
      where l."writtenOffOn" is null group by l.number, l."interestAccrued" having l."interestAccrued" > sum(i.interest)`)
}

describe('a loan', () => {
  it(
    'keeps its books in order, whatever is done to it in whatever order, also at once',
    async () => {
      const random = seededRandom('courses of loans')
      for (let turn = 0; turn < courses; turn += 1) {
        const course: Course = { lending, program, random, loans: [] }
        const done: string[] = []
        for (let n = 0; n < 2; n += 1) {
          const over = { terms: drawnTerms(random), principal: random.pick(['1200', '999.99', '5000']) ?? '1200' }
          course.loans.push((await lending.running(dayFrom(-Math.floor(random.between(0, 100))), over)).Id)
        }
        expect(await faults()).toEqual([])
        for (let step = 0; step < steps; step += 1) {
          done.push(await doSomething(course))
          expect(await faults(), done.join('\n')).toEqual([])
        }
      }
    },
    isNightly ? 1_800_000 : 400_000,
  )
})
