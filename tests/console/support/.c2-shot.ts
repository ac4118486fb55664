import { serveConsole } from '/work/main/tests/console/support/serve.ts'
import { launchBrowser, openPage, findViolations, overflows } from '/work/main/tests/console/support/browser.ts'
import { leadServer, makeLeads, viewFrame } from '/work/main/tests/console/support/views.ts'
const site = await serveConsole('/tmp/c2-dist')
const browser = await launchBrowser()
const todo: [string, string, 'light'|'dark', number, number][] = (process.argv[2] ? JSON.parse(process.argv[2]) : [
 ['list','/sales/leads','light',1280,800],['listd','/sales/leads','dark',1280,800],['listp','/sales/leads','light',360,740],
 ['create','/sales/leads/create','light',1280,900],['createp','/sales/leads/create','dark',360,740],
 ['detail','/sales/leads/00000000-0000-4000-8000-000000000003/view','light',1280,800],['dash','/sales/leadsdashboard','light',1280,900],['dashp','/sales/leadsdashboard','dark',360,900],
 ['report','/reports/standard/salesAgentReport','light',1280,800],['tenants','/admin/tenants/list','light',1280,800],['role','/admin/roles/add','light',1280,1200],['calc','/sales/calculators/cs-affordability','light',1280,700],
])
for (const [name, path, scheme, width, height] of todo) {
  const t = await openPage(browser, { url: site.url, scheme, width, height, frame: viewFrame(), answers: leadServer(makeLeads(10000)) })
  await t.page.goto(path)
  await t.page.locator('#main h1').first().waitFor({timeout: 15000}).catch(()=>console.log('no h1'))
  await t.page.waitForTimeout(1200)
  await t.page.screenshot({ path: `/tmp/c2-${name}.png` })
  console.log(name, JSON.stringify(await findViolations(t.page)).slice(0, 1500), 'wide', await overflows(t.page), t.faults.slice(0,4))
  await t.context.close()
}
await browser.close(); await site.close()
