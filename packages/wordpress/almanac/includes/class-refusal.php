<?php
/**
 * Why what the site shows is not taken: the names are those of the client for browsers, docs/client.md explains them.
 *
 * @package Almanac
 */

namespace Almanac;

/** The message is for an administrator; nobody else sees it. */
final class Refusal extends \RuntimeException {
	/**
	 * One of the client's names, such as `Unreachable`.
	 *
	 * @var string
	 */
	public $kind;

	public function __construct( string $kind, string $message ) {
		parent::__construct( $message );
		$this->kind = $kind;
	}
}
