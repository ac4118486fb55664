import { cultures } from './names.ts'
import { createRandom, demoId } from './random.ts'
import { demoGroup, demoRoles, type DemoCompany, type Seat } from './tree.ts'
import type { SystemRoleKey } from '@outpost/contract/roles'

export interface DemoUser {
  companyId: string
  id: string
  userName: string
  emailAddress: string
  firstName: string
  lastName: string
  mobile: string
  jobTitle: string
  role: SystemRoleKey
  /** Where the user works; the first one is where new records are filed. */
  tenantIds: string[]
}

/** One user for each role, and two more loan officers in each team, so that lists and reports look lived in. */
export function companyUsers(company: DemoCompany): DemoUser[] {
  const companyId = demoId(company.key)
  const { first, last, dialling, mobile } = cultures[company.country]
  const random = createRandom(`users ${company.key}`)
  const person = (index: number) => {
    const digits = String(1_000_000 + index * 7_919).padStart(7, '0')
    return { companyId, firstName: random.pick(first), lastName: random.pick(last), mobile: `${dialling}${mobile[0]}${digits}` }
  }
  const named = demoRoles.map(({ login, role, seat, jobTitle }, index): DemoUser => ({
    ...person(index),
    id: demoId(`${company.key} ${login}`),
    userName: `${login}.${company.key}`,
    emailAddress: `${login}@${company.domain}`,
    jobTitle,
    role,
    tenantIds: seatsOf(company, seat),
  }))
  const teams = company.branches.flatMap(({ teams }) => teams)
  const agents = teams
    .flatMap((team) => [1, 2].map((number) => ({ team, number })))
    .map(({ team, number }, index): DemoUser => {
      const login = `${team.code.toLowerCase()}${number}`
      return {
        ...person(100 + index),
        id: demoId(`${company.key} ${login}`),
        userName: `${login}.${company.key}`,
        emailAddress: `${login}@${company.domain}`,
        jobTitle: 'Loan Officer',
        role: 'officer',
        tenantIds: [demoId(team.code)],
      }
    })
  return [...named, ...agents]
}

/** The group's own administrator. */
export function groupUser(): DemoUser {
  const companyId = demoGroup.id
  return {
    companyId,
    id: demoId('global'),
    userName: 'global',
    emailAddress: 'global@outpost.test',
    firstName: 'Amani',
    lastName: 'Savanna',
    mobile: '254700000001',
    jobTitle: 'Global Administrator',
    role: 'global',
    tenantIds: [demoGroup.id],
  }
}

function seatsOf(company: DemoCompany, seat: Seat): string[] {
  const [branch] = company.branches
  const [team] = branch?.teams ?? []
  if (!branch || !team) throw new Error(`${company.name} needs a branch with a team`)
  if (seat === 'company') return [demoId(company.key)]
  if (seat === 'branches') return company.branches.slice(0, 2).map(({ code }) => demoId(code))
  return [demoId(seat === 'branch' ? branch.code : team.code)]
}
