import type { FormOverrides } from '../../kernel/types.ts'

/** How a lead is entered: the steps of digital onboarding on one page, with a warning at the field that another lead holds. */
export const leadForm: FormOverrides = {
  sections: [
    {
      title: 'Person',
      hint: 'Names and number as the identity document writes them.',
      rows: [
        ['firstName', 'lastName'],
        ['idNumber', 'type'],
      ],
    },
    {
      title: 'Contact',
      hint: 'The consent request goes to this phone.',
      rows: [
        ['phonenumber', 'emailAddress'],
        ['contactNumber', 'source'],
      ],
    },
    { title: 'Employment', rows: [['employer', 'empNumber']] },
    { title: 'Address', hint: 'Where the client lives or trades.', rows: [['lineone', 'city'], ['state', 'postcode'], ['location']] },
    { title: 'Notes', rows: [['notes']] },
  ],
  check: {
    route: 'leads.exist',
    fields: ['phonenumber', 'emailAddress', 'idNumber'],
    message: 'Another lead has this already.',
    open: '/sales/leads/:id/view',
    other: { message: 'A client has this already:', open: '/clients/:id/view' },
  },
}
