import type { Machine } from '../machine.ts'
import { providersArea } from '../kernel/providers/retention.ts'
import type { Area } from '../kernel/types.ts'
import { activitiesArea } from './activities/index.ts'
import { agentsArea } from './agents/index.ts'
import { apiUsersArea } from './api-users/index.ts'
import { applicationsArea } from './applications/index.ts'
import { auditArea } from './audit/index.ts'
import { authArea } from './auth/index.ts'
import { casesArea } from './cases/index.ts'
import { calculatorsArea } from './calculators/index.ts'
import { clientMergeArea } from './client-merge/index.ts'
import { clientsArea, groupsArea, phoneBookArea } from './clients/index.ts'
import { collectionsArea } from './collections/index.ts'
import { configArea } from './config/index.ts'
import { geoArea } from './geo/index.ts'
import { homeArea } from './home/home.area.ts'
import { ipAddressesArea } from './ip-addresses/index.ts'
import { jobsArea } from './jobs/index.ts'
import { leadsArea } from './leads/index.ts'
import { ledgerArea } from './ledger/index.ts'
import { loansArea } from './loans/index.ts'
import { mailArea } from './mail/index.ts'
import { notificationsArea } from './notifications/index.ts'
import { oauthClientsArea } from './oauth-clients/index.ts'
import { pipelinesArea } from './pipelines/index.ts'
import { plansArea } from './plans/index.ts'
import { productsArea } from './products/index.ts'
import { reportCategoriesArea, reportsArea } from './reports/index.ts'
import { rolesArea } from './roles/index.ts'
import { providerSignOut, samlArea, startSaml } from './saml/index.ts'
import { searchArea } from './search/index.ts'
import { storageArea } from './storage/index.ts'
import { syncArea } from './sync/index.ts'
import { targetsArea } from './targets/index.ts'
import { teamsArea } from './teams/index.ts'
import { tenantsArea } from './tenants/index.ts'
import { usersArea } from './users/index.ts'
import { viewsArea } from './views/index.ts'
import { webhooksArea } from './webhooks/index.ts'
import { workingTimeArea } from './working-time/index.ts'
import { messagesArea } from './messages/index.ts'
import { complaintsArea } from './complaints/index.ts'
import { locationsArea } from './locations/index.ts'
import { collectionSheetsArea } from './collection-sheets/index.ts'
import { insuranceArea } from './insurance/index.ts'
import { statementsArea } from './statements/index.ts'
import { transfersArea } from './transfers/index.ts'
import { reconciliationArea } from './reconciliation/index.ts'
import { ussdArea } from './ussd/index.ts'
import { tasksArea } from './tasks/index.ts'
import { webFormsArea } from './web-forms/index.ts'

/** The areas of the business, one line each; those that need a part of the machine are given it here. */
function businessAreas(machine: Parts): Area[] {
  return [
    authArea({ ...machine, startSaml, providerSignOut }),
    usersArea,
    rolesArea,
    apiUsersArea,
    ipAddressesArea(machine),
    oauthClientsArea,
    samlArea,
    tenantsArea,
    viewsArea,
    leadsArea(machine),
    clientsArea,
    clientMergeArea,
    transfersArea,
    groupsArea,
    phoneBookArea,
    activitiesArea,
    teamsArea,
    pipelinesArea,
    casesArea,
    calculatorsArea,
    agentsArea,
    plansArea,
    workingTimeArea,
    messagesArea(machine),
    complaintsArea,
    productsArea,
    applicationsArea,
    ledgerArea,
    loansArea,
    locationsArea,
    ussdArea,
    collectionsArea,
    collectionSheetsArea,
    insuranceArea,
    statementsArea,
    reconciliationArea,
    tasksArea,
    webFormsArea,
  ]
}

type Parts = Pick<Machine, 'mail' | 'files' | 'env'>

/** Those of the business, and those of the house that serve them. */
export function createAreas(machine: Parts): Area[] {
  const areas = businessAreas(machine)
  const all: Area[] = [
    ...areas,
    configArea(machine, areas, () => whole),
    targetsArea(areas),
    storageArea,
    geoArea(machine),
    jobsArea,
    auditArea(machine),
    mailArea(machine),
  ]
  const categories = reportCategoriesArea(all)
  const whole: Area[] = [...all, categories]
  // These run or list what the others declare, and know none of them.
  return [
    ...whole,
    providersArea(whole),
    homeArea(whole),
    webhooksArea(machine, whole),
    notificationsArea(machine, whole),
    searchArea(whole),
    syncArea([...areas, categories]),
    reportsArea(machine, whole),
  ]
}
