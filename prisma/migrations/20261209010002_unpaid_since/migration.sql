-- A penalty alone makes no loan late, as in the reports of arrears: the oldest row of the schedule that is open counts. Few loans owe a penalty.
update "loan" l set "unpaidSince" = (
  select min(i."dueOn") from "loan_instalment" i where i."companyId" = l."companyId" and i."loanId" = l."id"
    and i."principal" + i."interest" + i."fee" + i."insurance" > i."principalPaid" + i."interestPaid" + i."feePaid" + i."insurancePaid")
where l."status" = 'Active' and l."penaltiesOwed" > 0;
