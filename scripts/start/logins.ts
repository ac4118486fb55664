import pg from 'pg'
import { demoCompanies, demoPassword, demoRoles } from '../../prisma/seed/tree.ts'

/** The lines that show how to sign in; none when the database has no demo data. */
export async function demoLogins(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query(`select from app_user where "emailAddress" = 'global@outpost.test'`)
    return rowCount === 0 ? [] : lines()
  } finally {
    await client.end()
  }
}

function lines(): string[] {
  const roles = demoRoles.map(({ login }) => login).join(', ')
  const [first, ...others] = demoCompanies.map(({ domain }) => `@${domain}`)
  return [
    `  sign in   officer${first}, or instead of officer: ${roles}`,
    `            the same ${others.join(' and ')}, and global@outpost.test over the group`,
    `  password  ${demoPassword}`,
  ]
}
