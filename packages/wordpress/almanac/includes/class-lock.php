<?php
/**
 * One request refreshes and all others show what is there. The lock is a row of the options that only one of many can insert;
 * WordPress's own add_option() would let two have it.
 *
 * @package Almanac
 */

namespace Almanac;

/** A holder that died loses it after two minutes, longer than any refresh takes. */
final class Lock {
	const OPTION = 'almanac_lock';
	const DEAD   = 2 * MINUTE_IN_SECONDS;

	// phpcs:disable WordPress.DB.DirectDatabaseQuery -- a swap in one statement, which no function of WordPress offers.

	/**
	 * Whether it is ours now.
	 *
	 * @param float $patience For its holder, in seconds.
	 */
	public static function take( float $patience ): bool {
		$deadline = microtime( true ) + $patience;
		while ( ! self::is_ours() ) {
			if ( microtime( true ) >= $deadline ) {
				return false;
			}
			usleep( 50000 );
		}
		return true;
	}

	private static function is_ours(): bool {
		global $wpdb;
		$now    = time();
		$insert = "INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %d, 'no')";
		// phpcs:ignore WordPress.DB.PreparedSQL.NotPrepared -- prepared here.
		if ( 1 === $wpdb->query( $wpdb->prepare( $insert, self::OPTION, $now ) ) ) {
			return true;
		}
		$take_over = "UPDATE $wpdb->options SET option_value = %d WHERE option_name = %s AND CAST(option_value AS SIGNED) < %d";
		// phpcs:ignore WordPress.DB.PreparedSQL.NotPrepared -- prepared here.
		return 1 === $wpdb->query( $wpdb->prepare( $take_over, $now, self::OPTION, $now - self::DEAD ) );
	}

	/** Gives it to the next. */
	public static function release(): void {
		global $wpdb;
		$wpdb->delete( $wpdb->options, array( 'option_name' => self::OPTION ) );
	}
}
