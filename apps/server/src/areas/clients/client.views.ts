import { detailOf } from '../../kernel/screens/screen.ts'
import type { FormOverrides } from '../../kernel/types.ts'
import { exposurePanel } from './client.exposure.ts'
import { client } from './client.resource.ts'

/** A client for reading; what other areas keep of clients hangs on it as tabs. */
export const clientDetail = detailOf(client, {
  panels: [exposurePanel],
  overrides: {
    sections: [
      {
        title: 'Person',
        rows: [
          ['firstName', 'lastName'],
          ['phonenumber', 'emailAddress'],
          ['contactNumber', 'idNumber'],
          ['dateOfBirth', 'type'],
          ['receiptsBy'],
        ],
      },
      {
        title: 'Status',
        rows: [
          ['status', 'statusReason'],
          ['kyc', 'nextExpiry'],
          ['assignedUserId', 'tenantId'],
          ['leadId', 'dateCreated'],
          ['ussdSecuredAt', 'isUssdLocked'],
        ],
      },
      {
        title: 'Work',
        rows: [
          ['employer', 'empNumber'],
          ['jobTitle', 'employedSince'],
        ],
      },
      {
        title: 'Place',
        rows: [
          ['location', 'lineone'],
          ['city', 'state'],
          ['postcode', 'country'],
        ],
      },
      { title: 'Around the client', rows: [['nextOfKin'], ['documents'], ['identifiers'], ['contacts'], ['addresses'], ['notes']] },
    ],
  },
})

/** How a client is entered, with a warning at the field that another client holds. */
export const clientForm: FormOverrides = {
  sections: [
    {
      title: 'Person',
      hint: 'Names and number as the identity document writes them.',
      rows: [['leadId'], ['firstName', 'lastName'], ['idNumber', 'dateOfBirth'], ['type', 'assignedUserId']],
    },
    { title: 'Contact', rows: [['phonenumber', 'emailAddress'], ['contactNumber', 'receiptsBy'], ['contacts']] },
    {
      title: 'Employment',
      rows: [
        ['employer', 'empNumber'],
        ['jobTitle', 'employedSince'],
      ],
    },
    {
      title: 'Address',
      hint: 'Where the client lives or trades.',
      rows: [['lineone', 'city'], ['state', 'postcode'], ['country'], ['addresses']],
    },
    { title: 'Around the client', rows: [['nextOfKin']] },
    { title: 'Papers', hint: 'The agent is told before a paper expires.', rows: [['documents'], ['identifiers']] },
    { title: 'Notes', rows: [['notes']] },
  ],
  check: {
    route: 'clients.exist',
    fields: ['phonenumber', 'emailAddress', 'idNumber'],
    message: 'Another client has this already.',
    open: '/clients/:id/view',
    other: { message: 'An open lead has this already. Make the client from this lead:', open: '/sales/leads/:id/view', own: 'leadId' },
  },
}
