import { companyId } from './support/rows.ts'
import { percentile, rounded, type Bench } from './support/figure.ts'

const assets = 10_000
const calls = 60

/** The list of a company with 10,000 assets, half of them behind groups of roles: pages at the start and the end, a search, a filter. */
export const bench: Bench = {
  name: 'fleet-lists',
  leads: 0,
  run: async (house) => {
    await fill(house.admin)
    const headers = await house.signIn('md@sunrise.test')
    const last = Math.floor(assets / 2 / 100)
    const paths = [
      '/api/tracking/assets?page=1&size=100',
      `/api/tracking/assets?page=${last}&size=100`,
      '/api/tracking/assets?page=1&size=100&search=BEN%204',
      `/api/tracking/assets?page=1&size=100&filter=${encodeURIComponent('[{"field":"status","op":"eq","value":"Workshop"}]')}`,
    ]
    const times: number[] = []
    for (let at = 0; at < calls + paths.length; at += 1) {
      const { status, text, ms } = await house.call({ path: paths[at % paths.length]!, headers })
      if (status !== 200) throw new Error(`assets: ${status} ${text.slice(0, 200)}`)
      // The first round prepares the statements.
      if (at >= paths.length) times.push(ms)
    }
    return [
      {
        name: `list of ${assets} assets behind the asset wall, p95`,
        value: rounded(percentile(times, 0.95)),
        unit: 'ms',
        target: '<= 150',
        detail: `p50 ${rounded(percentile(times, 0.5))} ms; ${calls} pages of 100 through HTTP: first, last, search, filter`,
      },
    ]
  },
}

async function fill(admin: { query: (text: string, values: unknown[]) => Promise<unknown> }): Promise<void> {
  await admin.query(
    `insert into asset ("companyId", "id", "tenantId", "registrationNumber", "make", "status")
    select $1, gen_random_uuid(), (select "id" from tenant where "companyId" = $1 order by cardinality("path") limit 1), 'BEN ' || n, 'Toyota', case n % 20 when 0 then 'Workshop' else 'Active' end
    from generate_series(1, $2::int) n`,
    [companyId, assets],
  )
  await admin.query(
    `with made as (
      insert into asset_group ("companyId", "id", "name", "roleId") select $1, gen_random_uuid(), 'Bench', r."id" from role r where r."companyId" = $1 and r."systemRole" = 'officer' limit 1 returning "id"
    ) insert into asset_group_member ("companyId", "assetId", "assetGroupId") select a."companyId", a."id", m."id" from asset a, made m where a."companyId" = $1 and a."registrationNumber" ~ '^BEN [0-9]*[02468]$'`,
    [companyId],
  )
}
