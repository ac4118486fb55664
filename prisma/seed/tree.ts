import type { SystemRoleKey } from '@outpost/contract/roles'
import { demoId } from './random.ts'

/** Password of every demo user. */
export const demoPassword = 'outpost-demo-2026'

/** Where a demo user of a role sits in the tree. */
export type Seat = 'company' | 'branches' | 'branch' | 'team'

/** One demo user a company and role: `<login>@<domain>`. */
export const demoRoles: readonly { login: string; role: SystemRoleKey; seat: Seat; jobTitle: string }[] = [
  { login: 'admin', role: 'admin', seat: 'company', jobTitle: 'Administrator' },
  { login: 'officer', role: 'officer', seat: 'team', jobTitle: 'Loan Officer' },
  { login: 'credit', role: 'credit', seat: 'branch', jobTitle: 'Credit Officer' },
  { login: 'leader', role: 'leader', seat: 'team', jobTitle: 'Team Leader' },
  { login: 'branch', role: 'branch', seat: 'branch', jobTitle: 'Branch Manager' },
  { login: 'regional', role: 'regional', seat: 'branches', jobTitle: 'Regional Manager' },
  { login: 'zonal', role: 'zonal', seat: 'company', jobTitle: 'Zonal Manager' },
  { login: 'sales', role: 'sales', seat: 'company', jobTitle: 'Sales Manager' },
  { login: 'product', role: 'product', seat: 'company', jobTitle: 'Product Manager' },
  { login: 'md', role: 'md', seat: 'company', jobTitle: 'Managing Director' },
]

export interface Place {
  name: string
  lat: number
  lng: number
}
export interface DemoBranch extends Place {
  code: string
  city: string
  state: string
  teams: readonly (Place & { code: string })[]
}
export interface DemoCompany {
  key: string
  name: string
  code: string
  domain: string
  country: 'KE' | 'ZA' | 'ZM'
  countryName: string
  currency: string
  timeZone: string
  hasGroup: boolean
  branches: readonly DemoBranch[]
}

export const demoGroup = { id: demoId('group'), name: 'Savanna Group', code: 'SAV' }

export const demoCompanies: readonly DemoCompany[] = [
  {
    key: 'sunrise',
    name: 'Sunrise Credit',
    code: 'SUN',
    domain: 'sunrise.test',
    hasGroup: true,
    country: 'KE',
    countryName: 'Kenya',
    currency: 'KES',
    timeZone: 'Africa/Nairobi',
    branches: [
      {
        name: 'Nairobi Branch',
        code: 'NBO',
        city: 'Nairobi',
        state: 'Nairobi',
        lat: -1.2864,
        lng: 36.8172,
        teams: [
          { name: 'Westlands Team', code: 'NBO-W', lat: -1.2676, lng: 36.8108 },
          { name: 'Eastlands Team', code: 'NBO-E', lat: -1.2833, lng: 36.8833 },
        ],
      },
      {
        name: 'Mombasa Branch',
        code: 'MBA',
        city: 'Mombasa',
        state: 'Mombasa',
        lat: -4.0435,
        lng: 39.6682,
        teams: [
          { name: 'Nyali Team', code: 'MBA-N', lat: -4.0226, lng: 39.7097 },
          { name: 'Likoni Team', code: 'MBA-L', lat: -4.0934, lng: 39.6594 },
        ],
      },
      {
        name: 'Kisumu Branch',
        code: 'KSM',
        city: 'Kisumu',
        state: 'Kisumu',
        lat: -0.0917,
        lng: 34.768,
        teams: [
          { name: 'Milimani Team', code: 'KSM-M', lat: -0.1045, lng: 34.7553 },
          { name: 'Kondele Team', code: 'KSM-K', lat: -0.0801, lng: 34.7772 },
        ],
      },
    ],
  },
  {
    key: 'baobab',
    name: 'Baobab Finance',
    code: 'BAO',
    domain: 'baobab.test',
    hasGroup: true,
    country: 'ZA',
    countryName: 'South Africa',
    currency: 'ZAR',
    timeZone: 'Africa/Johannesburg',
    branches: [
      {
        name: 'Johannesburg Branch',
        code: 'JHB',
        city: 'Johannesburg',
        state: 'Gauteng',
        lat: -26.2041,
        lng: 28.0473,
        teams: [
          { name: 'Soweto Team', code: 'JHB-S', lat: -26.2485, lng: 27.854 },
          { name: 'Sandton Team', code: 'JHB-N', lat: -26.1076, lng: 28.0567 },
        ],
      },
      {
        name: 'Cape Town Branch',
        code: 'CPT',
        city: 'Cape Town',
        state: 'Western Cape',
        lat: -33.9249,
        lng: 18.4241,
        teams: [
          { name: 'Bellville Team', code: 'CPT-B', lat: -33.8943, lng: 18.6294 },
          { name: 'Khayelitsha Team', code: 'CPT-K', lat: -34.0393, lng: 18.6756 },
        ],
      },
      {
        name: 'Durban Branch',
        code: 'DUR',
        city: 'Durban',
        state: 'KwaZulu-Natal',
        lat: -29.8587,
        lng: 31.0218,
        teams: [
          { name: 'Umlazi Team', code: 'DUR-U', lat: -29.9667, lng: 30.8833 },
          { name: 'Pinetown Team', code: 'DUR-P', lat: -29.8167, lng: 30.85 },
        ],
      },
    ],
  },
  {
    key: 'copper',
    name: 'Copper Loans',
    code: 'COP',
    domain: 'copper.test',
    hasGroup: false,
    country: 'ZM',
    countryName: 'Zambia',
    currency: 'ZMW',
    timeZone: 'Africa/Lusaka',
    branches: [
      {
        name: 'Lusaka Branch',
        code: 'LUN',
        city: 'Lusaka',
        state: 'Lusaka',
        lat: -15.3875,
        lng: 28.3228,
        teams: [
          { name: 'Kabulonga Team', code: 'LUN-K', lat: -15.4167, lng: 28.3333 },
          { name: 'Matero Team', code: 'LUN-M', lat: -15.3667, lng: 28.2667 },
        ],
      },
      {
        name: 'Kitwe Branch',
        code: 'KIW',
        city: 'Kitwe',
        state: 'Copperbelt',
        lat: -12.8024,
        lng: 28.2132,
        teams: [
          { name: 'Parklands Team', code: 'KIW-P', lat: -12.8222, lng: 28.2083 },
          { name: 'Ndola Team', code: 'KIW-N', lat: -12.9587, lng: 28.6366 },
        ],
      },
    ],
  },
]

export interface TenantNode {
  companyId: string
  id: string
  parentId: string | null
  groupId: string | null
  type: 1 | 2 | 3 | 4
  name: string
  shortCode: string
  path: string[]
  location: string | null
  lat: number | null
  lng: number | null
  country: string | null
  currency: string | null
  timeZone: string | null
}

/** The group as a node of its own tree. */
export function groupNode(): TenantNode {
  const { id, name, code } = demoGroup
  return { ...blank, companyId: id, id, type: 1, name, shortCode: code, path: [id] }
}

/** A company and all below it, parents first. */
export function companyNodes(company: DemoCompany): TenantNode[] {
  const id = demoId(company.key)
  const { country, currency, timeZone } = company
  const common = { ...blank, companyId: id, country, currency, timeZone }
  const root: TenantNode = {
    ...common,
    id,
    groupId: company.hasGroup ? demoGroup.id : null,
    type: 2,
    name: company.name,
    shortCode: company.code,
    path: [id],
    ...at(company.branches[0]),
  }
  const below = company.branches.flatMap((branch): TenantNode[] => {
    const branchId = demoId(branch.code)
    const node: TenantNode = {
      ...common,
      id: branchId,
      parentId: id,
      type: 3,
      name: branch.name,
      shortCode: branch.code,
      path: [id, branchId],
      ...at(branch),
      location: branch.city,
    }
    const teams = branch.teams.map((team): TenantNode => ({
      ...common,
      id: demoId(team.code),
      parentId: branchId,
      type: 4,
      name: team.name,
      shortCode: team.code,
      path: [id, branchId, demoId(team.code)],
      ...at(team),
      location: `${team.name.replace(' Team', '')}, ${branch.city}`,
    }))
    return [node, ...teams]
  })
  return [root, ...below]
}

const blank = {
  parentId: null,
  groupId: null,
  location: null,
  lat: null,
  lng: null,
  country: null,
  currency: null,
  timeZone: null,
}

const at = (place: Place | undefined) => ({ lat: place?.lat ?? null, lng: place?.lng ?? null })
