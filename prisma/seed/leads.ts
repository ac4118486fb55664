import { createHash } from 'node:crypto'
import type { LeadStatus } from '@outpost/rules/leads/lead-status'
import { cultures } from './names.ts'
import type { DemoUser } from './people.ts'
import { createRandom, demoId, type Random } from './random.ts'
import { bytea } from './rows.ts'
import type { DemoCompany, DemoBranch } from './tree.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** The way a lead goes; the side ways leave it early. */
const road: readonly LeadStatus[] = [
  'New',
  'Assigned',
  'Contacted',
  'Consent requested',
  'Qualified',
  'Onboarding',
  'Submitted',
  'Approved',
  'Converted',
]
const ends: readonly (readonly [LeadStatus, number])[] = [
  ['New', 16],
  ['Assigned', 14],
  ['Contacted', 16],
  ['Nurture', 8],
  ['Consent requested', 9],
  ['Qualified', 8],
  ['Onboarding', 6],
  ['Submitted', 5],
  ['Approved', 3],
  ['Converted', 8],
  ['Unqualified', 3],
  ['Declined by client', 2],
  ['Declined by credit', 1],
  ['Junk', 1],
]
/** Where on the road a lead was when it left it. */
const leftAt: Partial<Record<LeadStatus, LeadStatus>> = {
  Nurture: 'Contacted',
  Unqualified: 'Contacted',
  'Declined by client': 'Contacted',
  'Declined by credit': 'Submitted',
  Junk: 'New',
}
const reasons: Partial<Record<LeadStatus, string>> = {
  Unqualified: 'Income below the minimum',
  'Declined by client': 'Found a better offer',
  'Declined by credit': 'Existing arrears',
  Junk: 'Wrong number',
}

export interface LeadRows {
  leads: object[]
  moves: object[]
  assignments: object[]
  consents: object[]
}

/** Leads of a company over the last sixty days, a tenth of them from this week, with the log, assignments and consents that their status asks for. */
export function companyLeads({
  company,
  users,
  count,
  now,
}: {
  company: DemoCompany
  users: DemoUser[]
  count: number
  now: number
}): LeadRows {
  const random = createRandom(`leads ${company.key}`)
  const officers = users.filter(({ role }) => role === 'officer')
  const rows: LeadRows = { leads: [], moves: [], assignments: [], consents: [] }
  for (let index = 0; index < count; index += 1) addLead(rows, { company, random, officers, index, now })
  return rows
}

/** Ids of the leads that an officer captured, of all when there are none: what an officer plans and opens is about these. */
export type LeadsOf = (officerId: string) => readonly string[]
export function byOfficer({ leads }: Pick<LeadRows, 'leads'>): LeadsOf {
  const known = Map.groupBy(leads as { id: string; createdByUserId: string }[], ({ createdByUserId }) => createdByUserId)
  return (officerId) => (known.get(officerId) ?? (leads as { id: string }[])).map(({ id }) => id)
}

interface Making {
  company: DemoCompany
  random: Random
  officers: DemoUser[]
  index: number
  now: number
}

function addLead(rows: LeadRows, making: Making): void {
  const { company, random, officers, index, now } = making
  const officer = random.pick(officers)
  const branch = branchOf(company, officer)
  const status = random.weighted(ends)
  const steps = stepsTo(status)
  const created = now - Math.floor((random.next() < 0.1 ? random.next() * 5 : 3 + random.next() * 57) * day)
  const times = steps.map((_, step) => created + Math.floor(((now - created) * step) / (steps.length + 1)))
  const key = { companyId: officer.companyId, tenantId: officer.tenantIds[0] }
  const id = demoId(`lead ${company.key}`, index)
  const person = personOf(making)
  const modified = iso(times.at(-1) ?? created)
  rows.leads.push({
    ...key,
    id,
    ...person,
    ...placeOf(branch, making),
    status,
    statusReason: reasons[status] ?? null,
    statusSince: modified,
    type: random.weighted([
      ['Individual', 5],
      ['Civil servant', 3],
      ['SME', 2],
    ]),
    source: random.weighted([
      ['UI', 6],
      ['Referral', 2],
      ['USSD', 1],
      ['Web form', 1],
    ]),
    assignedUserId: status === 'New' ? null : officer.id,
    createdByUserId: officer.id,
    leadCreatedBy: nameOf(officer),
    ...standingOf(making, steps, times),
    syncSeq: index + 1,
    dateCreated: iso(created),
    dateModified: modified,
  })
  rows.moves.push(...movesOf({ ...making, officer }, { key, id, steps, times }))
  if (status !== 'New') {
    rows.assignments.push({
      ...key,
      id: demoId(`lead assignment ${company.key}`, index),
      leadId: id,
      userId: officer.id,
      assignedByUserId: officer.id,
      dateCreated: iso(times[1] ?? created),
    })
  }
  const asked = steps.indexOf('Consent requested')
  if (asked >= 0)
    rows.consents.push(
      consentOf({
        key,
        company,
        index,
        leadId: id,
        mobile: person.trimmedPhonenumber,
        officer,
        at: times[asked] ?? created,
        answeredAt: times[asked + 1],
      }),
    )
}

interface Life {
  key: { companyId: string; tenantId: string | undefined }
  id: string
  steps: LeadStatus[]
  times: number[]
}

/** The log of a lead's statuses. */
function movesOf({ company, officer, index }: Making & { officer: DemoUser }, { key, id, steps, times }: Life): object[] {
  return steps.map((to, step) => ({
    ...key,
    id: demoId(`lead log ${company.key}`, index * 16 + step),
    movedInTenantId: key.tenantId,
    objectType: 'lead',
    objectId: id,
    field: 'status',
    move: to,
    from: steps[step - 1] ?? null,
    to,
    reason: reasons[to] ?? null,
    isFirst: steps.indexOf(to) === step,
    userId: officer.id,
    realUserId: officer.id,
    dateCreated: iso(times[step] ?? 0),
    durationSeconds: step === 0 ? null : Math.round(((times[step] ?? 0) - (times[step - 1] ?? 0)) / 1000),
  }))
}

/** Every status the lead has had, in order. */
function stepsTo(status: LeadStatus): LeadStatus[] {
  const before = leftAt[status]
  return before ? [...road.slice(0, road.indexOf(before) + 1), status] : road.slice(0, road.indexOf(status) + 1)
}

/** Consent and affordability as the status asks for them. */
function standingOf({ company, random }: Making, steps: LeadStatus[], times: number[]): object {
  const { instalment } = cultures[company.country]
  const asked = steps.indexOf('Consent requested')
  const isGranted = asked >= 0 && asked < steps.length - 1
  const assessed = steps.indexOf('Onboarding')
  const amount = random.int(...instalment)
  return {
    consentStatus: asked < 0 ? 'NONE PROVIDED' : isGranted ? 'GRANTED' : 'REQUESTED',
    consentDate: isGranted ? iso(times[asked + 1] ?? 0) : null,
    installmentAmount: assessed < 0 ? null : amount,
    totalAffordability: assessed < 0 ? null : Math.round(amount * (1.1 + random.next())),
    affordabilityOutcome: assessed < 0 ? 'NONE' : 'PASS',
    affordabilityDate: assessed < 0 ? null : iso(times[assessed] ?? 0),
  }
}

export function personOf({ company, random, index }: Making) {
  const culture = cultures[company.country]
  const firstName = random.pick(culture.first)
  const lastName = random.pick(culture.last)
  const phonenumber = `0${random.pick(culture.mobile)}${String(2_000_000 + index * 977 + random.int(0, 900))}`
  const trimmedPhonenumber = `${culture.dialling}${phonenumber.slice(1)}`
  const mailbox = `${firstName}.${lastName}`
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z.]/g, '')
  const hasEmail = random.next() < 0.7
  const idNumber = culture.idNumber.replace(/9/g, () => String(random.int(0, 9)))
  return {
    firstName,
    lastName,
    phonenumber,
    trimmedPhonenumber,
    contactNumber: phonenumber,
    countryCode: company.country,
    emailAddress: hasEmail ? `${mailbox}${index + 1}@mail.test` : null,
    idNumber,
    empNumber: `E${10_000 + index}`,
    employer: random.pick(culture.employers),
  }
}

export function placeOf(branch: DemoBranch, { company, random }: Making): object {
  const { streets, postcodes } = cultures[company.country]
  const near = (degrees: number) => Number((degrees + (random.next() - 0.5) * 0.2).toFixed(6))
  return {
    location: branch.city,
    lineone: `${random.int(1, 240)} ${random.pick(streets)}`,
    city: branch.city,
    state: branch.state,
    postcode: postcodes[company.branches.indexOf(branch)] ?? postcodes[0],
    country: company.countryName,
    latitude: near(branch.lat),
    longitude: near(branch.lng),
  }
}

const consentText = 'I agree that my credit record is checked for this application. v1'

interface Consent {
  key: object
  company: DemoCompany
  index: number
  leadId: string
  mobile: string
  officer: DemoUser
  at: number
  answeredAt: number | undefined
}

function consentOf({ key, company, index, leadId, mobile, officer, at, answeredAt }: Consent): object {
  return {
    ...key,
    id: demoId(`lead consent ${company.key}`, index),
    leadId,
    purpose: 'CREDIT_CHECK',
    channel: 'SMS',
    mobileNumber: mobile,
    textVersion: 'v1',
    textHash: bytea(createHash('sha256').update(consentText).digest()),
    status: answeredAt === undefined ? 'REQUESTED' : 'GRANTED',
    requestedByUserId: officer.id,
    requestedAt: iso(at),
    answeredAt: answeredAt === undefined ? null : iso(answeredAt),
    expiresAt: iso(at + 30 * day),
  }
}

/** The branch whose team the officer works in. */
export function branchOf(company: DemoCompany, { tenantIds }: DemoUser): DemoBranch {
  const branch = company.branches.find(({ teams }) => teams.some(({ code }) => tenantIds.includes(demoId(code)))) ?? company.branches[0]
  if (!branch) throw new Error(`${company.name} has no branch`)
  return branch
}

export const iso = (at: number): string => new Date(at).toISOString()
export const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string => `${firstName} ${lastName}`
