import { detailOf } from '../../kernel/screens/screen.ts'
import { client } from './client.resource.ts'

/** A client for reading; what other areas keep of clients hangs on it as tabs. */
export const clientDetail = detailOf(client, {
  overrides: {
    sections: [
      {
        title: 'Person',
        rows: [
          ['firstName', 'lastName'],
          ['phonenumber', 'emailAddress'],
          ['contactNumber', 'idNumber'],
          ['dateOfBirth', 'type'],
        ],
      },
      {
        title: 'Standing',
        rows: [
          ['status', 'statusReason'],
          ['kyc', 'nextExpiry'],
          ['assignedUserId', 'tenantId'],
          ['leadId', 'dateCreated'],
          ['ussdSecuredAt'],
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
