import { randomBytes } from 'node:crypto'
import type { RoleSecrets } from '@outpost/platform/db/roles'
import { z } from 'zod'

/** Settings of whoever deploys; no server reads them. */
export const deploySettings = {
  /** Of the roles that change tables (fx_migrate, fx_datafix); default: drawn anew by each deployment, so that nobody knows it between two. */
  DEPLOY_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  /** Of the server's roles and token keys; default: the master secret. */
  ACCESS_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  /** Of the geo service's roles; default: that of the server's. */
  GEO_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  /** Of fx_backup, with which `npm run backup` logs in; without one there is no such role. */
  BACKUP_PASSWORD: z.string().min(16, 'must have at least 16 characters').optional(),
}
export interface DeploySettings {
  DEPLOY_SECRET?: string | undefined
  ACCESS_SECRET?: string | undefined
  GEO_SECRET?: string | undefined
  BACKUP_PASSWORD?: string | undefined
}

/** The secrets that a deployment sets roles' passwords from, beside the master secret. */
export function secretsOfDeployment({
  DEPLOY_SECRET,
  ACCESS_SECRET,
  GEO_SECRET,
  BACKUP_PASSWORD,
}: DeploySettings): Omit<RoleSecrets, 'secret'> {
  return {
    deploySecret: DEPLOY_SECRET ?? randomBytes(32).toString('hex'),
    accessSecret: ACCESS_SECRET,
    geoSecret: GEO_SECRET,
    backupPassword: BACKUP_PASSWORD,
  }
}
