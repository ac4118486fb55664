import { defineResource } from '../../kernel/resource/define.ts'
import { prepareProvider } from './saml-provider.rules.ts'
import { maxXml } from './xml.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

const roleMap = `select coalesce(json_agg(json_build_object('Id', m."id", 'value', m."value", 'roleId', m."roleId", 'roleIdLabel', r."name",
    'position', m."position") order by m."position"), '[]')
  from saml_role m left join role r on r."companyId" = m."companyId" and r."id" = m."roleId"
  where m."companyId" = t."companyId" and m."providerId" = t."id"`

/** A value of the provider's role attribute, and the role that it gives. */
export const samlRole = defineResource({
  model: 'samlRole',
  one: 'samlRole',
  many: 'samlRoles',
  label: 'Role of a value',
  labelMany: 'Roles of values',
  title: 'value',
  isIdentity: true,
  fields: {
    value: { kind: 'text', label: 'Value', required: true, maxLength: 200 },
    roleId: { kind: 'reference', label: 'Role', to: 'role', required: true },
    position: { kind: 'number', label: 'Position', readOnly: true },
    providerId: { kind: 'text', label: 'Provider', readOnly: true },
  },
  list: { columns: ['value', 'roleId', 'position'], sort: ['position', 'ASC'], size: 100, filters: ['value'] },
})

const attribute = (label: string, usual: string) => ({
  kind: 'text' as const,
  label,
  maxLength: 200,
  detailOnly: true,
  help: usual,
})
const madeOnly = { eq: ['makesUsers', true] as [string, boolean] }

/** An identity provider of the company: whose people sign in with the account they have there (SAML 2.0). */
export const samlProvider = defineResource({
  model: 'samlProvider',
  one: 'samlProvider',
  many: 'samlProviders',
  label: 'Identity provider',
  labelMany: 'Identity providers',
  title: 'name',
  writtenBy: 'company',
  isSoftDeleted: true,
  isIdentity: true,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 60, help: 'What people call it, such as the name of your company' },
    key: { kind: 'text', label: 'Sign-in name', readOnly: true },
    entityId: { kind: 'text', label: 'Issuer', readOnly: true },
    ssoUrl: { kind: 'text', label: 'Sign-in address', readOnly: true },
    sloUrl: { kind: 'text', label: 'Sign-out address', readOnly: true },
    certificateEndsAt: { kind: 'dateTime', label: 'Certificate ends', readOnly: true },
    isDisabled: { kind: 'boolean', label: 'Disabled', defaultValue: false, help: 'Nobody signs in by it' },
    signs: {
      kind: 'choice',
      label: 'What it signs',
      required: true,
      defaultValue: 'assertion',
      options: [
        { value: 'assertion', label: 'The assertion' },
        { value: 'response', label: 'The response' },
        { value: 'both', label: 'Both' },
      ],
    },
    signsRequests: {
      kind: 'boolean',
      label: 'Sign our requests',
      defaultValue: false,
      help: 'Always where its metadata asks for it. Give the provider our metadata, which holds the certificate.',
    },
    linksByEmail: {
      kind: 'boolean',
      label: 'Recognise users by e-mail',
      defaultValue: true,
      help: 'At their first sign-in by it; afterwards they are known by its name for them',
    },
    makesUsers: {
      kind: 'boolean',
      label: 'Make new users',
      defaultValue: false,
      help: 'Who is no user here becomes one at the first sign-in',
    },
    defaultTenantId: { kind: 'reference', label: 'New users work in', to: 'tenant', visibleIf: madeOnly, requiredIf: madeOnly },
    emailAttribute: attribute('Attribute of the e-mail', 'Empty: email, mail or the NameID'),
    firstNameAttribute: attribute('Attribute of the first name', 'Empty: firstName or givenName'),
    lastNameAttribute: attribute('Attribute of the last name', 'Empty: lastName, surname or sn'),
    roleAttribute: attribute('Attribute of the roles', 'Such as groups'),
    roleMap: {
      kind: 'lines',
      label: 'Roles of its values',
      of: samlRole,
      by: 'providerId',
      max: 50,
      detailOnly: true,
      help: 'For users that it made; they follow it at each sign-in',
      sql: roleMap,
    },
    defaultRoleId: {
      kind: 'reference',
      label: 'Role without such a value',
      to: 'role',
      help: 'Empty: who has none of the values is refused',
    },
    lastUsedAt: { kind: 'dateTime', label: 'Last used', readOnly: true },
    lastRefusedAt: { kind: 'dateTime', label: 'Last refused', readOnly: true },
    lastRefusal: { kind: 'text', label: 'Why', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    metadata: {
      kind: 'longText',
      label: 'Metadata',
      required: true,
      maxLength: maxXml,
      detailOnly: true,
      fromFile: '.xml',
      help: 'The XML file that the identity provider gives you. A new one replaces its certificates.',
    },
  },
  list: {
    columns: ['name', 'key', 'entityId', 'certificateEndsAt', 'isDisabled', 'lastUsedAt', 'lastRefusedAt', 'lastRefusal', 'dateCreated'],
    sort: ['dateCreated', 'DESC'],
    size: 100,
    filters: ['name', 'isDisabled', 'certificateEndsAt', 'dateCreated'],
    empty: {
      title: 'Nobody signs in by another account yet',
      body: 'Add the identity provider of your company, such as Entra ID, Okta or Keycloak.',
    },
  },
  form: [
    ['name', 'signs', 'signsRequests'],
    ['metadata'],
    ['linksByEmail', 'makesUsers', 'defaultTenantId'],
    ['emailAttribute', 'firstNameAttribute', 'lastNameAttribute'],
    ['roleAttribute', 'defaultRoleId'],
    ['roleMap'],
    ['isDisabled'],
  ],
  actions: [
    {
      key: 'samlProviders.try',
      label: 'Try a response',
      scope: 'row',
      open: '/admin/saml/try/:id',
    },
    bulkDeleteAction(
      'samlProviders.remove',
      { title: 'Delete the chosen identity providers?', body: 'Nobody signs in by them any more. Sessions that are open go on.' },
      'samlProviders.restore',
    ),
  ],
  prepare: prepareProvider,
})
