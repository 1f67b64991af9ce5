"""Prepares a Tryton database for the benchmark. Reads JSON from standard input:
{"uri": ..., "config": ..., "accounts": [{"code": ..., "name": ..., "root": ...}], "years": [2023, ...]}.
Writes the IDs of the records that an invoice and a report refer to as the last line of standard output, in JSON."""
import json
import sys
from datetime import date
from decimal import Decimal

from proteus import Model, Wizard, config

asked = json.load(sys.stdin)
session = config.set_trytond(asked["uri"], config_file=asked["config"])


def one(model, *domain):
    return Model.get(model).find(list(domain), limit=1)[0]


def save(model, **values):
    record = Model.get(model)(**values)
    record.save()
    return record


one("ir.module", ("name", "=", "account_invoice")).click("activate")
Wizard("ir.module.activate_upgrade").execute("upgrade")

currency = save("currency.currency", name="US Dollar", code="USD", symbol="$")
wizard = Wizard("company.company.config")
wizard.execute("company")
wizard.form.party = save("party.party", name="Books")
wizard.form.currency = currency
wizard.execute("add")
company = one("company.company")
session._context = Model.get("res.user").get_preferences(True, session.context)

template = one("ir.model.data", ("module", "=", "account"), ("fs_id", "=", "account_template_root_en"))
chart = Wizard("account.create_chart")
chart.execute("account")
chart.form.account_template = Model.get("account.account.template")(template.db_id)
chart.form.company = company
chart.execute("create_account")
receivable = one("account.account", ("type.receivable", "=", True))
chart.form.account_receivable = receivable
chart.form.account_payable = one("account.account", ("type.payable", "=", True))
chart.execute("create_properties")

root = one("account.account", ("parent", "=", None))
types = {
    "Asset": one("account.account.type", ("name", "=", "Cash")),
    "Liability": one("account.account.type", ("name", "=", "Tax")),
    "Equity": one("account.account.type", ("name", "=", "Equity")),
    "Income": one("account.account.type", ("name", "=", "Revenue")),
    "Expense": one("account.account.type", ("name", "=", "Expense")),
}
accounts = {
    each["code"]: save(
        "account.account",
        code=each["code"],
        name=each["name"],
        type=types[each["root"]],
        parent=root,
        company=company,
    ).id
    for each in asked["accounts"]
}

move_type = one("ir.sequence.type", ("name", "=", "Account Move"))
invoice_type = one("ir.sequence.type", ("name", "=", "Invoice"))
periods = {}
for year in asked["years"]:
    fiscal_year = Model.get("account.fiscalyear")(
        name=str(year), company=company, start_date=date(year, 1, 1), end_date=date(year, 12, 31)
    )
    fiscal_year.post_move_sequence = save("ir.sequence", name=str(year), sequence_type=move_type, company=company)
    numbers = save("ir.sequence.strict", name=str(year), sequence_type=invoice_type, company=company)
    sequences = fiscal_year.invoice_sequences[0]
    sequences.out_invoice_sequence = sequences.out_credit_note_sequence = numbers
    sequences.in_invoice_sequence = sequences.in_credit_note_sequence = numbers
    fiscal_year.save()
    fiscal_year.click("create_period")
    for period in fiscal_year.periods:
        periods[period.start_date.isoformat()] = period.id

tax_account = one("account.account", ("type", "=", types["Liability"].id))
tax = save(
    "account.tax",
    name="State tax",
    description="State tax",
    type="percentage",
    rate=Decimal("0.0575"),
    invoice_account=tax_account,
    credit_note_account=tax_account,
)
party = save("party.party", name="Fairlawn Heights")
statements = {
    name: [each.id for each in Model.get("account.account.type").find([("statement", "=", name)])]
    for name in ("balance", "income")
}
ids = {
    "company": company.id,
    "currency": currency.id,
    "party": party.id,
    "address": party.addresses[0].id,
    "receivable": receivable.id,
    "journal": one("account.journal", ("type", "=", "revenue")).id,
    "tax": tax.id,
    "asset": one("account.account.type", ("name", "=", "Asset")).id,
    "accounts": accounts,
    "periods": periods,
    "statements": statements,
}
print(json.dumps(ids))
