import { runCalculator } from '@outpost/rules/calculators/index'
import type { DemoClient } from './client-life.ts'
import type { LeadRows } from './leads.ts'
import type { DemoUser } from './people.ts'
import { createRandom, demoId, type Random } from './random.ts'
import type { DemoCompany } from './tree.ts'

type Lead = Record<string, unknown> & { id: string; companyId: string; tenantId: string; status: string }

/** Assessments are made like everybody's: by the calculator. So many are enough to look at. */
const assessed = 60
const pairs = 6

export interface LeadLifeRows {
  runs: object[]
  clients: DemoClient[]
  rules: object[]
}

/** What leads of a company leave behind: assessments, clients of those that converted, rules that give new ones away; and pairs that may be one person. */
export function companyLeadLife({
  company,
  users,
  made,
  now,
}: {
  company: DemoCompany
  users: DemoUser[]
  made: LeadRows
  now: number
}): LeadLifeRows {
  const random = createRandom(`lead life ${company.key}`)
  const leads = made.leads as Lead[]
  makeLookAlikes(leads)
  const clients = leads.filter(({ status }) => status === 'Converted').map((lead, index) => clientOf(company, lead, index))
  return {
    runs: leads
      .filter((lead) => lead.affordabilityOutcome === 'PASS')
      .slice(0, assessed)
      .flatMap((lead, index) => runOf({ company, random, lead, index, now })),
    clients,
    rules: rulesOf(company, users),
  }
}

/** Neighbours in the list that share a team become one person written twice: a doubled letter, another phone. */
function makeLookAlikes(leads: Lead[]): void {
  let made = 0
  for (let index = 1; index < leads.length && made < pairs; index += 1) {
    const [a, b] = [leads[index - 1], leads[index]]
    if (!a || !b || a.tenantId !== b.tenantId || a.status === 'Converted' || b.status === 'Converted') continue
    const { firstName, lastName, employer, city, location, lineone, state, postcode, latitude, longitude } = a
    Object.assign(b, {
      firstName,
      lastName: String(lastName).replace(/([a-z])$/, '$1$1'),
      employer,
      city,
      location,
      lineone,
      state,
      postcode,
      latitude,
      longitude,
    })
    made += 1
    index += 1
  }
}

interface Assessing {
  company: DemoCompany
  random: Random
  lead: Lead
  index: number
  now: number
}

/** One run of the civil servants' calculator; the lead shows what it gave. */
function runOf({ company, random, lead, index, now }: Assessing): object[] {
  const gross = random.int(60, 180) * 1_000
  const share = (part: number) => Math.round(gross * part)
  const loan = { rate: 2, ratePeriod: 'month', termMonths: random.pick([12, 18, 24, 36]) }
  const inputs = {
    KE: { basicPay: share(0.8), grossPay: gross, netPay: share(0.7), ...loan },
    ZM: { netPay: share(0.7), ...loan },
    ZA: { grossPay: gross, statutory: share(0.2), livingExpenses: share(0.3), hasDisclosure: false, ...loan },
  }[company.country]
  const at = typeof lead.affordabilityDate === 'string' ? lead.affordabilityDate : new Date(now).toISOString()
  const run = runCalculator('cs-affordability', inputs, { country: company.country, at: at.slice(0, 10) })
  if (run.outcome !== 'PASS') return []
  const [instalment, affordable] = [run.result['instalment'] ?? null, run.result['affordability'] ?? null]
  Object.assign(lead, { installmentAmount: instalment, totalAffordability: affordable })
  return [
    {
      companyId: lead.companyId,
      id: demoId(`affordability run ${company.key}`, index),
      tenantId: lead.tenantId,
      leadId: lead.id,
      calculator: run.calculator,
      country: run.ruleSet.country,
      ruleSetId: run.ruleSet.id,
      ruleSetVersion: String(run.ruleSet.version),
      inputs: run.inputs,
      steps: run.steps,
      result: { figures: run.result, reasons: run.reasons, unverified: run.ruleSet.unverified, effectiveFrom: run.ruleSet.effectiveFrom },
      outcome: run.outcome,
      instalment,
      affordable,
      createdByUserId: lead.createdByUserId,
      realUserId: lead.createdByUserId,
      dateCreated: at,
    },
  ]
}

function clientOf(company: DemoCompany, lead: Lead, index: number): DemoClient {
  const {
    companyId,
    tenantId,
    firstName,
    lastName,
    phonenumber,
    trimmedPhonenumber,
    emailAddress,
    idNumber,
    empNumber,
    employer,
    type,
    assignedUserId,
    createdByUserId,
    location,
    lineone,
    city,
    state,
    postcode,
    country,
    latitude,
    longitude,
    dateModified,
  } = lead
  return {
    companyId,
    id: demoId(`client ${company.key}`, index),
    tenantId,
    leadId: lead.id,
    firstName,
    lastName,
    phonenumber,
    trimmedPhonenumber,
    emailAddress,
    idNumber,
    empNumber,
    employer,
    type,
    assignedUserId,
    createdByUserId,
    location,
    lineone,
    city,
    state,
    postcode,
    country,
    latitude,
    longitude,
    dateCreated: dateModified,
    dateModified,
  }
}

/** Two rules to begin with, so that new leads from the phone find somebody; those captured by hand wait for a person. */
function rulesOf(company: DemoCompany, users: DemoUser[]): object[] {
  const [branch] = company.branches
  const officer = users.find(({ role }) => role === 'officer')
  if (!branch || !officer) return []
  const rule = (index: number, over: object) => ({
    companyId: demoId(company.key),
    id: demoId(`assignment rule ${company.key}`, index),
    name: '',
    position: 10,
    isActive: true,
    source: null,
    city: null,
    branchId: null,
    method: 'ROUND ROBIN',
    candidateTenantId: null,
    candidateUserIds: [],
    ...over,
  })
  return [
    rule(0, {
      name: `USSD in ${branch.city}: the nearest officer`,
      position: 10,
      source: 'USSD',
      city: branch.city,
      candidateTenantId: demoId(branch.code),
      method: 'NEAREST',
    }),
    rule(1, { name: 'Web forms: who has the fewest leads', position: 20, source: 'Web form', method: 'LOAD' }),
  ]
}
