import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { command, create, get, list, noInput, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { custom, detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { move } from '../../kernel/workflow/operations.ts'
import { productCategory } from './category.resource.ts'
import { matrixAnswer, offerInput, offerMatrix, setOffer } from './offer.matrix.ts'
import { productOffer } from './offer.resource.ts'
import { duplicateProduct } from './product.errors.ts'
import { isOnOffer, product } from './product.resource.ts'
import { productFee } from './version.fields.ts'
import { newVersion, newVersionAnswer, simulate, simulateInput, simulationAnswer } from './version.handlers.ts'
import { productVersion } from './version.resource.ts'

const own = { own: true }
/** Whoever lends needs to know what there is to lend. */
const readers = may('ADMIN/PRODUCTS', 'ADMIN/TENANTS/EDIT', 'SALES/LEADS', 'CLIENTS', 'LOAN/DISBURSEMENTS')
const [see, add, edit, drop] = [may('ADMIN/PRODUCTS'), may('ADMIN/PRODUCTS/CREATE'), may('ADMIN/PRODUCTS/EDIT'), may('ADMIN/PRODUCTS/DELETE')]
const offers = may('ADMIN/TENANTS/EDIT')
const versions = '/api/products/versions'

const productSections = [{ rows: [['name', 'code'], ['categoryId', 'versionInForce'], ['annualRate'], ['minAmount', 'maxAmount'], ['description']] }]
/** The terms of a version, read and edited in the same order. */
const termSections = (first: string[][]) => [
  { title: 'Version', rows: [...first, ['effectiveFrom', 'effectiveUntil']] },
  { title: 'How much, how long', rows: [['creditType'], ['minAmount', 'maxAmount'], ['minInstalments', 'maxInstalments'], ['everyUnit', 'everyCount']] },
  { title: 'Interest', rows: [['annualRate', 'dayCount'], ['method', 'balloonPercent'], ['graceOnPrincipal', 'graceOnInterest'], ['brokenPeriod', 'dueOnHoliday'], ['instalmentRounding']] },
  { title: 'Fees and insurance', hint: 'Whatever is asked for beside interest; it counts into the total cost of credit.', rows: [['fees'], ['insuranceKind', 'insuranceRate']] },
  { title: 'When it is late', rows: [['penaltyKind', 'penaltyAmount'], ['penaltyPer', 'penaltyGraceDays'], ['penaltyInDuplum', 'allocation']] },
  { title: 'What an application needs', rows: [['calculator'], ['papers']] },
]

/** Products: categories, versions of terms with their fees and caps, the simulator, and who offers what. */
export const productsArea = defineArea({
  name: 'products',
  errors: [duplicateProduct],
  palette: [{ resource: product, anyOf: ['ADMIN/PRODUCTS'], subtitle: `t."code"`, open: '/products/', tail: '/view', isSmall: true, order: 70 }],
  resources: [product, productCategory, productVersion, productFee, productOffer],
  routes: [
    route('products.list', 'GET', '/api/products', readers, list(product), own),
    route('products.configurator', 'GET', '/api/onboarding/product/product-configurator', readers, list(product, { many: 'productConfigurator', where: isOnOffer })),
    route('products.categories', 'GET', '/api/products/categories', readers, list(productCategory), own),
    route('products.getCategory', 'GET', '/api/products/categories/:id', see, get(productCategory), own),
    route('products.createCategory', 'POST', '/api/products/categories', add, create(productCategory), own),
    route('products.removeCategory', 'POST', '/api/products/categories/delete', drop, remove(productCategory), own),
    route('products.restoreCategory', 'POST', '/api/products/categories/restore', drop, restore(productCategory), own),
    route('products.updateCategory', 'PUT', '/api/products/categories/:id', edit, update(productCategory), own),
    route('products.versions', 'GET', versions, see, list(productVersion), own),
    route('products.getVersion', 'GET', `${versions}/:id`, see, get(productVersion), own),
    route('products.versionTimeline', 'GET', `${versions}/:id/timeline`, see, history(productVersion, { except: ['state', 'publishedAt', 'publishedByUserId'] }), own),
    route('products.simulate', 'GET', `${versions}/:id/simulate`, see, query(simulateInput, simulate, simulationAnswer), { own: true, summary: 'What a loan of a version would cost: schedule, total cost of credit, annual rate, and the caps it breaks' }),
    route('products.createVersion', 'POST', versions, add, create(productVersion), own),
    route('products.removeVersion', 'POST', `${versions}/delete`, drop, remove(productVersion), own),
    route('products.restoreVersion', 'POST', `${versions}/restore`, drop, restore(productVersion), own),
    route('products.moveVersion', 'POST', `${versions}/:id/move`, edit, move(productVersion), { own: true, summary: 'Publishes or retires a version; refused with the cap that it breaks' }),
    route('products.updateVersion', 'PUT', `${versions}/:id`, edit, update(productVersion), own),
    route('products.matrix', 'GET', '/api/products/offers', offers, query(noInput, offerMatrix, matrixAnswer), { own: true, summary: 'Which tenants offer which product, with what is inherited' }),
    route('products.setOffer', 'PUT', '/api/products/offers', offers, command(offerInput, setOffer, matrixAnswer), own),
    route('products.get', 'GET', '/api/products/:id', readers, get(product), own),
    route('products.timeline', 'GET', '/api/products/:id/timeline', see, history(product), own),
    route('products.newVersion', 'POST', '/api/products/:id/versions', add, command(idInput, newVersion, newVersionAnswer), own),
    route('products.create', 'POST', '/api/products', add, create(product), own),
    route('products.remove', 'POST', '/api/products/delete', drop, remove(product), own),
    route('products.restore', 'POST', '/api/products/restore', drop, restore(product), own),
    route('products.update', 'PUT', '/api/products/:id', edit, update(product), own),
  ],
  panels: [on('product', by(productVersion, 'productId', 'Versions'))],
  screens: [
    screen('/products', see, listOf(product, { source: 'products.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'administration', label: 'Products', icon: 'file', order: 30 } }),
    screen('/products/add', add, formOf(product), { createOrder: 80 }),
    screen('/products/:id/edit', edit, formOf(product)),
    screen('/products/:id/view', see, detailOf(product, { overrides: { sections: productSections } })),
    screen('/products/categories', see, listOf(productCategory), { menu: { under: 'administration', label: 'Product categories', icon: 'apartment', order: 31 } }),
    screen('/products/categories/add', add, formOf(productCategory)),
    screen('/products/categories/:id/edit', edit, formOf(productCategory)),
    screen('/products/versions', see, listOf(productVersion)),
    screen('/products/versions/add', add, formOf(productVersion, { overrides: { sections: termSections([['productId', 'note']]) } })),
    screen('/products/versions/:id/edit', edit, formOf(productVersion, { overrides: { sections: termSections([['productId', 'note']]) } })),
    screen('/products/versions/:id/view', see, detailOf(productVersion, { overrides: { sections: termSections([['productId', 'state'], ['note'], ['publishedAt', 'publishedByUserId']]) } })),
    screen('/products/versions/:id/simulate', see, custom('product-simulator', 'Simulator', () => ({}))),
    screen('/admin/tenants/products/edit', offers, custom('product-matrix', 'Products of tenants', () => ({})), { menu: { under: 'administration', label: 'Products of tenants', icon: 'table', order: 32 } }),
  ],
})
