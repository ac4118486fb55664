import { addDays } from '@outpost/rules/time-zone'
import { demoGroups, type DemoClient } from '../client-life.ts'
import { branchOf, iso, personOf, placeOf } from '../leads.ts'
import type { DemoUser } from '../people.ts'
import { createRandom, demoId } from '../random.ts'
import type { DemoCompany } from '../tree.ts'
import { drawNext, drawShare, endedOn, type Client, type DemoLoan } from './terms.ts'

const day = 86_400_000
/** Of those who borrow again and again there are so many for each client that was a lead. */
const share = 1.4
/** Places in the company from which on their numbers, phones and ids begin. */
const beyond = 4_000

/** Clients of before the leads, who have borrowed for two years. */
export function regularClients({ company, users, clients, now }: Given): DemoClient[] {
  const random = createRandom(`regulars ${company.key}`)
  const officers = users.filter(({ role }) => role === 'officer')
  return Array.from({ length: Math.round(clients.length * share) }, (_row, place) => {
    const officer = random.pick(officers)
    const making = { company, random, officers, index: beyond + place, now }
    const { countryCode: _, contactNumber: __, ...person } = personOf(making)
    const since = iso(now - random.int(731, 790) * day)
    return {
      companyId: officer.companyId,
      id: demoId(`client ${company.key}`, beyond + place),
      tenantId: officer.tenantIds[0],
      leadId: null,
      ...person,
      type: random.pick(['Individual', 'Civil servant', 'SME']),
      assignedUserId: officer.id,
      createdByUserId: officer.id,
      ...placeOf(branchOf(company, officer), making),
      dateCreated: since,
      dateModified: since,
    }
  })
}

interface Given {
  company: DemoCompany
  users: DemoUser[]
  clients: readonly DemoClient[]
  now: number
}
interface Lending {
  company: DemoCompany
  regulars: readonly DemoClient[]
  clients: readonly DemoClient[]
  today: string
  by: string
  /** Place of the first loan in its company. */
  from: number
}

/** The loans of two years of those who borrow again and again, one after the other, and the shares of the groups' joint loans. */
export function regularLoans({ company, regulars, clients, today, by, from }: Lending): DemoLoan[] {
  const random = createRandom(`careers ${company.key}`)
  const loans: DemoLoan[] = []
  const drawing = (client: DemoClient) => ({ company, random, client: client as unknown as Client, index: from + loans.length, today, by })
  for (const client of regulars) {
    const habit = random.weighted([
      ['punctual', 6],
      ['late', 3],
      ['stopped', 1],
    ] as const)
    for (let on: string | null = addDays(today, -random.int(560, 730)); on !== null && on < addDays(today, -3);) {
      const loan: DemoLoan = drawNext(drawing(client), on, habit)
      loans.push(loan)
      const ended = loan.writtenOffOn === undefined ? endedOn(loan) : null
      on = ended && addDays(ended, random.int(2, 30))
    }
  }
  for (const { id, members } of demoGroups({ company, clients })) for (const client of members) loans.push(drawShare(drawing(client), id))
  return loans
}
