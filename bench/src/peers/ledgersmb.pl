# Prepares a LedgerSMB database for the benchmark, and then posts invoices with LedgerSMB's own code.
# The arguments are the database's name and the word "create", if it does not exist yet. The connection is given by
# PGHOST, PGPORT, PGUSER, and PGPASSWORD. Each line of standard input posts an invoice, and its total is written as a
# line of standard output. The first line of the output is "ready".
use strict;
use warnings;

BEGIN {
    chdir '/usr/share/ledgersmb' or die "LedgerSMB is not installed: $!";
    unshift @INC, '/usr/share/ledgersmb/lib', '/usr/share/ledgersmb/old/lib';
    open our $answers, '>&', \*STDOUT or die $!;
    open STDOUT, '>&', \*STDERR or die $!;
}

use DBI;
use LedgerSMB;
use LedgerSMB::App_State;
use LedgerSMB::Database;
use LedgerSMB::Form;
use LedgerSMB::IS;
use LedgerSMB::Locale;
use LedgerSMB::PGNumber;
use LedgerSMB::Tax;

our $answers;
my ($database, $create) = @ARGV;
@ARGV = ();

sub create {
    my $schema = LedgerSMB::Database->new(
        dbname   => $database,
        username => $ENV{PGUSER},
        password => $ENV{PGPASSWORD},
    );
    $schema->create;
    $schema->load_base_schema;
    $schema->apply_changes;
    load_modules();
    $schema->load_coa({ country => 'us', chart => 'General.sql' });
    my $dbh = connection();
    my $account = sub { $dbh->selectrow_array('select id from account where accno = ?', undef, @_) };
    my $insert  = sub { $dbh->selectrow_array($_[0], undef, @_[1 .. $#_]) };
    my $country = $insert->(q{select id from country where short_name = 'US'});
    my $entity  = q{insert into entity (name, entity_class, country_id, control_code) values (?, ?, ?, ?) returning id};
    my $person  = $insert->($entity, 'Bookkeeper', 3, $country, 'E-1');
    # The audit trail stores this ID as that of a person.
    $dbh->do(
        'insert into person (id, entity_id, first_name, last_name) values (?, ?, ?, ?)',
        undef, $person, $person, 'Book', 'Keeper',
    );
    $dbh->do('insert into entity_employee (entity_id) values (?)', undef, $person);
    $dbh->do('insert into users (username, entity_id) values (?, ?)', undef, $ENV{PGUSER}, $person);
    my $customer = $insert->($entity, 'Fairlawn Heights', 2, $country, 'C-1');
    $dbh->do(q{insert into company (entity_id, legal_name) values (?, 'Fairlawn Heights')}, undef, $customer);
    $insert->(
        q{insert into entity_credit_account (entity_id, entity_class, meta_number, curr, ar_ap_account_id)
          values (?, 2, '1', 'USD', ?) returning id}, $customer, $account->('1200'),
    );
    for my $name ('Spring clean-up, front and back', 'Mulch, per yard, delivered') {
        $dbh->do(
            'insert into parts (partnumber, description, income_accno_id) values (?, ?, ?)',
            undef, $name, $name, $account->('4010'),
        );
    }
    $dbh->do(q{update tax set rate = 0.0575 where chart_id = ?}, undef, $account->('2150'));
    $dbh->commit;
}

# Loads LedgerSMB's functions, except for those that manage its users. They assume PostgreSQL before version 16.
sub load_modules {
    open my $order, '<', 'sql/modules/LOADORDER' or die $!;
    while (my $module = <$order>) {
        $module =~ s/\s+|#.*//g;
        next if $module eq '' or $module =~ /^(admin|Roles)\.sql$/;
        my @options = ('--quiet', '--set', 'ON_ERROR_STOP=1', '--dbname', $database);
        system('psql', @options, '--file', "sql/modules/$module") == 0 or die "$module was not loaded";
    }
}

sub connection {
    return DBI->connect("dbi:Pg:dbname=$database", undef, undef, { AutoCommit => 0, RaiseError => 1 });
}

create() if ($create // '') eq 'create';
my $dbh = connection();
LedgerSMB::App_State::set_DBH($dbh);
LedgerSMB::App_State::set_Locale(LedgerSMB::Locale->get_handle('en'));
my ($customer) = $dbh->selectrow_array(q{select id from entity_credit_account where meta_number = '1' and curr = 'USD'});
my ($first, $second) = @{ $dbh->selectcol_arrayref('select id from parts order by id') };
my %settings = (numberformat => '1000.00', dateformat => 'yyyy-mm-dd');
LedgerSMB::App_State::set_User(\%settings);

sub post {
    my $form = Form->new;
    my %fields = (
        dbh             => $dbh,
        login           => $ENV{PGUSER},
        customer        => 'Fairlawn Heights',
        customer_id     => $customer,
        currency        => 'USD',
        defaultcurrency => 'USD',
        transdate       => $dbh->selectrow_array('select current_date'),
        AR              => '1200',
        taxaccounts     => '2150',
        invnumber       => '',
        paidaccounts    => 0,
        rowcount        => 2,
        id_1            => $first,
        qty_1           => '2',
        sellprice_1     => '125.50',
        description_1   => 'Spring clean-up, front and back',
        taxaccounts_1   => '2150',
        id_2            => $second,
        qty_2           => '3',
        sellprice_2     => '48.25',
        description_2   => 'Mulch, per yard, delivered',
        taxaccounts_2   => '2150',
    );
    $form->{$_} = $fields{$_} for keys %fields;
    IS->post_invoice(\%settings, $form);
    $dbh->commit;
    my ($total) = $dbh->selectrow_array('select amount from ar where id = ?', undef, $form->{id});
    $dbh->commit;
    return $total;
}

$answers->autoflush(1);
print $answers "ready\n";
while (<STDIN>) { print $answers post(), "\n" }
